package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Decoded.Fault;
import io.iwcm.cm.mpa.Decoded.Malformed;
import io.iwcm.cm.mpa.Initiator.Verdict.Accepted;
import io.iwcm.cm.mpa.Initiator.Verdict.Rejected;
import io.iwcm.cm.mpa.Initiator.Wish;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.mpa.Responder.Verdict.Offer;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames that Linux 6.1's soft-iWARP was seen to send, with what we must make of them and answer. */
class SoftIwarpPeerTest {

    private static final MpaPolicy FOUR = Mpa.depthsMax(4, 4);
    private static final MpaPolicy FOUR_WITHOUT_CRC = new MpaPolicy(
            new ReadDepths(4, 4), CrcPolicy.PREFERRED_OFF, false, RtrSet.WRITE_OR_READ, false, true, false);

    /** Its answers to a request of IRD 4 and ORD 4, in each form. */
    @ParameterizedTest(name = "revision {0}, peer-to-peer {1}: {2}")
    @CsvSource({
        "2, false, 10 02 0009 0004 0004 68656c6c6f, false,",
        "2, false, 50 02 0009 0004 0004 68656c6c6f, true,",
        "2, true,  10 02 0009 8004 8004 68656c6c6f, false, WRITE",
        "2, true,  50 02 0009 8004 8004 68656c6c6f, true, WRITE",
        "1, false, 00 01 0005 68656c6c6f, false,",
        "1, false, 40 01 0005 68656c6c6f, true,",
    })
    void itsAcceptsStand(int revision, boolean peerToPeer, String reply, boolean crc, Rtr rtr) {
        Wish wish = new Wish(revision, new ReadDepths(4, 4), peerToPeer, Octets.EMPTY);

        assertThat(Initiator.judge(wish, FOUR_WITHOUT_CRC, Mpa.replyFrame(reply)))
                .isInstanceOfSatisfying(Accepted.class, accepted -> {
                    assertThat(accepted.privateData()).isEqualTo(Octets.ofHex("68656c6c6f"));
                    assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(4, 4));
                    assertThat(accepted.negotiated().rdma().crc()).isEqualTo(crc);
                    assertThat(accepted.negotiated().rdma().rtr()).isEqualTo(Optional.ofNullable(rtr));
                });
    }

    @Test
    void itsApplicationsRejectCarriesItsReason() {
        assertThat(Initiator.judge(Mpa.clientServer(4, 4), FOUR, Mpa.replyFrame("30 02 0008 0004 0004 6e6f7065")))
                .isEqualTo(new Rejected(new PeerDepths(true, 4, 4), Octets.ofHex("6e6f7065")));
    }

    @Test
    void itsRejectOfMarkersIsARejectWithoutAnyDepths() {
        assertThat(Initiator.judge(Mpa.clientServer(4, 4), Mpa.markers(true), Mpa.replyFrame("30 02 0004 0000 0000")))
                .isEqualTo(new Rejected(new PeerDepths(true, 0, 0), Octets.EMPTY));
    }

    /** It answers a request that has S and no control words in kind. We never send one. */
    @Test
    void itsRejectWithoutControlWordsIsMalformed() {
        assertThat(MpaCodec.decode(Mpa.reply("30 02 0000"), Kind.REPLY))
                .isEqualTo(new Malformed(Fault.MISSING_READ_DEPTHS));
    }

    /** Its requests without, with CRCs, and our answers, which it accepts: C set where it insists, one RTR, its A. */
    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource({
        "10 02 0007 0004 0004 686579, PREFERRED_OFF, 10 02 0004 0004 0004",
        "10 02 0004 0008 0002,        PREFERRED_OFF, 10 02 0004 0004 0004",
        "10 02 0004 0001 0008,        PREFERRED_OFF, 10 02 0004 0004 0001",
        "10 02 0007 8004 c004 686579, PREFERRED_OFF, 10 02 0004 8004 4004",
        "10 02 0007 8004 c004 686579, REQUIRED,      50 02 0004 8004 4004",
        "50 02 0007 8004 c004 686579, REQUIRED,      50 02 0004 8004 4004",
    })
    void itsRequestsAreAnsweredInATongueItUnderstands(String request, CrcPolicy crc, String reply) {
        MpaFrame frame = Mpa.requestFrame(request);
        MpaPolicy policy = crc == CrcPolicy.REQUIRED ? FOUR : FOUR_WITHOUT_CRC;

        assertThat(Responder.judge(frame, policy))
                .isInstanceOfSatisfying(
                        Offer.class, offer -> assertThat(offer.privateData()).isEqualTo(frame.privateData()));
        assertThat(MpaCodec.encode(Responder.accept(frame, policy, Optional.empty(), Octets.EMPTY)
                        .reply()))
                .isEqualTo(Mpa.reply(reply));
    }
}
