package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.mpa.Responder.Accepted;
import io.iwcm.cm.mpa.Responder.Verdict.Offer;
import io.iwcm.cm.mpa.Responder.Verdict.Refused;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a responder makes of requests (RFC 5044 §7.1.2, RFC 6581 §9). */
class ResponderTest {

    private static final String PLAIN_V1 = "40 01 0000";
    private static final String PLAIN_V2 = "40 02 0000";

    @Test
    void offersThePeersRawDepthsAndItsPrivateData() {
        MpaFrame request = Mpa.requestFrame("50 02 0008 8004 c003 41424344");

        assertThat(Responder.judge(request, Mpa.ORDINARY))
                .isEqualTo(new Offer(new PeerDepths(true, 4, 3), new ReadDepths(16, 4), Octets.ofHex("41424344")));
    }

    /** FC-08: responder with IRD 16 and ORD 8 at most; a field of 16383 is "do not negotiate" (FC-10). */
    @ParameterizedTest(name = "{0}/{1} accepted with {2}/{3}: reply {4}/{5}, we hold {6}/{7}")
    @CsvSource({
        "4,     3,     16, 8,  16,    4,     16, 4",
        "4,     3,     2,  2,  3,     2,     3,  2",
        "0,     20,    16, 8,  16,    0,     16, 0",
        "0,     0,     0,  0,  0,     0,     0,  0",
        "16383, 4,     5,  8,  5,     16383, 5,  8",
        "4,     16383, 5,  8,  16383, 4,     5,  4",
        "16383, 16383, 5,  7,  16383, 16383, 5,  7",
        "16382, 16382, 5,  8,  16,    8,     16, 8",
        "4,     3,     99, 99, 16,    4,     16, 4",
    })
    void crossesAndLimitsTheDepths(
            int ird, int ord, int wishIrd, int wishOrd, int replyIrd, int replyOrd, int ourIrd, int ourOrd) {
        MpaFrame request = Mpa.asking(ird, ord, RtrSet.NONE);

        Accepted accepted = accept(request, Mpa.ORDINARY, new ReadDepths(wishIrd, wishOrd));

        assertThat(accepted.reply().enhanced()).hasValue(new Enhanced(false, RtrSet.NONE, replyIrd, replyOrd));
        assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(ourIrd, ourOrd));
        assertThat(accepted.negotiated().told()).isEqualTo(new ReadDepths(ourIrd, ourOrd));
        assertThat(accepted.negotiated().peer()).isEqualTo(new PeerDepths(true, ird, ord));
    }

    @Test
    void takesTheLimitsWhenTheApplicationHasNoWish() {
        MpaFrame request = Mpa.asking(4, 3, RtrSet.NONE);

        Accepted accepted = Responder.accept(request, Mpa.ORDINARY, Optional.empty(), Octets.EMPTY);

        assertThat(accepted.negotiated().told()).isEqualTo(new ReadDepths(16, 4));
        assertThat(Responder.judge(request, Mpa.ORDINARY))
                .isInstanceOfSatisfying(
                        Offer.class, offer -> assertThat(offer.suggested()).isEqualTo(new ReadDepths(16, 4)));
    }

    /** FC-07: the zero-length Read needs a place; the application is told what it asked for. */
    @Test
    void makesRoomForTheReadOfAReadRtr() {
        Accepted accepted = accept(Mpa.asking(0, 0, Mpa.READ), Mpa.ORDINARY, new ReadDepths(0, 0));

        assertThat(accepted.reply().enhanced()).hasValue(new Enhanced(true, Mpa.READ, 1, 0));
        assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(1, 0));
        assertThat(accepted.negotiated().told()).isEqualTo(new ReadDepths(0, 0));
        assertThat(accepted.negotiated().rdma().rtr()).hasValue(Rtr.READ);
    }

    @Test
    void keepsIrdZeroForAWriteRtr() {
        Accepted accepted = accept(Mpa.asking(0, 0, Mpa.WRITE), Mpa.ORDINARY, new ReadDepths(0, 0));

        assertThat(accepted.reply().enhanced()).hasValue(new Enhanced(true, Mpa.WRITE, 0, 0));
    }

    /** FC-07 where the depth itself is not negotiated: the queue pair still has to take the Read. */
    @Test
    void makesRoomForAReadRtrEvenWhereIrdIsNotNegotiated() {
        Accepted accepted = accept(Mpa.asking(4, 0x3fff, Mpa.READ), Mpa.ORDINARY, new ReadDepths(0, 2));

        assertThat(accepted.reply().enhanced()).hasValue(new Enhanced(true, Mpa.READ, 0x3fff, 2));
        assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(1, 2));
    }

    @Test
    void doesNotAnswerReadWithoutAPlaceForOne() {
        MpaPolicy noReads = Mpa.depthsMax(0, 8);

        assertThat(accept(Mpa.asking(4, 4, RtrSet.WRITE_OR_READ), noReads)
                        .reply()
                        .enhanced())
                .hasValue(new Enhanced(true, Mpa.WRITE, 0, 4));
        assertThat(accept(Mpa.asking(4, 4, Mpa.READ), noReads).reply().enhanced())
                .hasValue(new Enhanced(true, Mpa.WRITE, 0, 4));
    }

    /** FC-05. */
    @Test
    void echoesTheModelTheInitiatorAsksFor() {
        Accepted peerToPeer = accept(Mpa.requestFrame("50 02 0004 8004 c003"), Mpa.ORDINARY);
        Accepted clientServer = accept(Mpa.requestFrame("50 02 0004 0004 0003"), Mpa.ORDINARY);

        assertThat(MpaCodec.encode(peerToPeer.reply())).isEqualTo(Mpa.reply("50 02 0004 8010 4004"));
        assertThat(peerToPeer.negotiated().rdma().peerToPeer()).isTrue();
        assertThat(MpaCodec.encode(clientServer.reply())).isEqualTo(Mpa.reply("50 02 0004 0010 0004"));
        assertThat(clientServer.negotiated().rdma().peerToPeer()).isFalse();
        assertThat(clientServer.negotiated().rdma().rtr()).isEmpty();
    }

    @Test
    void ignoresTheRtrFlagsOfAClientServerRequest() {
        Accepted accepted = accept(Mpa.requestFrame("50 02 0004 4004 c003"), Mpa.ORDINARY);

        assertThat(accepted.reply().enhanced()).hasValue(new Enhanced(false, RtrSet.NONE, 16, 4));
    }

    /** One form out of both sets, Read before Write before Send; one of ours when nothing matches. */
    @ParameterizedTest(name = "offered {0}, acceptable {1}: {2}")
    @CsvSource({
        "CD,  CD,  D",
        "C,   CD,  C",
        "D,   CD,  D",
        "BCD, BCD, D",
        "BC,  BCD, C",
        "B,   BCD, B",
        "BCD, C,   C",
        "BCD, B,   B",
        "B,   CD,  D",
        "D,   C,   C",
        "C,   BD,  D",
        "'',  CD,  D",
        "'',  BC,  C",
    })
    void answersWithExactlyOneRtr(String offered, String acceptable, String answer) {
        MpaFrame request = asking(offered);

        Accepted accepted = accept(request, Mpa.rtr(set(acceptable)));

        assertThat(Mpa.controlWords(accepted.reply()).rtr()).isEqualTo(set(answer));
        assertThat(accepted.negotiated().rdma().rtr()).isEqualTo(set(answer).preferred());
    }

    @ParameterizedTest(name = "offered {0}, acceptable {1}: {2}")
    @CsvSource({"CD, CD, CD", "BCD, BCD, BCD", "BC, BCD, BC", "CD, BD, D", "B, CD, D", "'', BC, C"})
    void answersWithTheWholeIntersectionWhenToldTo(String offered, String acceptable, String answer) {
        Accepted accepted = accept(asking(offered), Mpa.answeringAll(set(acceptable)));

        assertThat(Mpa.controlWords(accepted.reply()).rtr()).isEqualTo(set(answer));
    }

    @Test
    void refusesPeerToPeerWhenTheSettingsAllowNoRtr() {
        MpaFrame request = Mpa.asking(4, 3, Mpa.READ);

        assertThat(Responder.judge(request, Mpa.rtr(RtrSet.NONE))).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.why()).contains("RTR");
            assertThat(MpaCodec.encode(refused.reply())).isEqualTo(Mpa.reply("70 02 0004 8010 0004"));
        });
        assertThat(Responder.judge(Mpa.asking(4, 3, RtrSet.NONE), Mpa.rtr(RtrSet.NONE)))
                .isInstanceOf(Offer.class);
    }

    @ParameterizedTest
    @CsvSource({"40 01 0000, 40 01 0002", "40 02 0000, 40 02 0002", "10 01 0000, 40 01 0002"})
    void answersAnUnenhancedRequestInItsOwnForm(String request, String reply) {
        Accepted accepted = Responder.accept(
                Mpa.requestFrame(request), Mpa.ORDINARY, Optional.of(new ReadDepths(5, 6)), Octets.ofHex("0102"));

        assertThat(MpaCodec.encode(accepted.reply())).isEqualTo(Mpa.reply(reply + "0102"));
        assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(5, 6));
        assertThat(accepted.negotiated().rdma().peerToPeer()).isFalse();
        assertThat(accepted.negotiated().peer()).isEqualTo(PeerDepths.NONE);
        assertThat(accepted.negotiated().revision()).isEqualTo(accepted.reply().revision());
        assertThat(accepted.negotiated().rdma().initiator()).isFalse();
    }

    @Test
    void rejectsInTheFormOfTheRequest() {
        MpaFrame enhanced =
                Responder.reject(Mpa.requestFrame("50 02 0004 8004 c003"), Mpa.depthsMax(3, 8), Octets.ofHex("4e4f"));
        MpaFrame v1 = Responder.reject(Mpa.requestFrame(PLAIN_V1), Mpa.ORDINARY, Octets.ofHex("4e4f"));
        MpaFrame v2 = Responder.reject(Mpa.requestFrame(PLAIN_V2), Mpa.ORDINARY, Octets.EMPTY);

        assertThat(MpaCodec.encode(enhanced)).isEqualTo(Mpa.reply("70 02 0006 8003 4004 4e4f"));
        assertThat(MpaCodec.encode(v1)).isEqualTo(Mpa.reply("60 01 0002 4e4f"));
        assertThat(MpaCodec.encode(v2)).isEqualTo(Mpa.reply("60 02 0000"));
    }

    @Test
    void takesARequestWithRSetLikeAnyOther() {
        MpaFrame request = Mpa.requestFrame("70 02 0004 0004 0004");

        assertThat(Responder.judge(request, Mpa.ORDINARY)).isInstanceOf(Offer.class);
        assertThat(MpaCodec.encode(accept(request, Mpa.ORDINARY).reply())).isEqualTo(Mpa.reply("50 02 0004 0010 0004"));
    }

    @Test
    void refusesRevision0InRevision0() {
        assertThat(Responder.judge(Mpa.requestFrame("00 00 0002 0102"), Mpa.ORDINARY))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(MpaCodec.encode(refused.reply())).isEqualTo(Mpa.reply("60 00 0000")));
    }

    @Test
    void takesRevision0ForRevision1WhenToldTo() {
        MpaFrame request = Mpa.requestFrame("00 00 0002 0102");

        assertThat(Responder.judge(request, Mpa.acceptingRevision0()))
                .isEqualTo(new Offer(PeerDepths.NONE, new ReadDepths(16, 8), Octets.ofHex("0102")));
        assertThat(MpaCodec.encode(accept(request, Mpa.acceptingRevision0()).reply()))
                .isEqualTo(Mpa.reply("40 00 0000"));
    }

    /** FC-03. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 508})
    void handsUpThePrivateDataWithoutTheControlWords(int length) {
        Octets words = Octets.ofHex("%04x 8004 c003".formatted(length + 4));
        MpaFrame request = Mpa.whole(Mpa.request("50 02").concat(words).concat(Mpa.pd(length)), Kind.REQUEST);

        assertThat(Responder.judge(request, Mpa.ORDINARY))
                .isInstanceOfSatisfying(
                        Offer.class, offer -> assertThat(offer.privateData()).isEqualTo(Mpa.pd(length)));
    }

    /** FC-60: eight octets in which SMB Direct keeps its own depths, in either byte order. */
    @ParameterizedTest
    @ValueSource(strings = {"00000010 00000008", "10000000 08000000"})
    void passesLegacyDepthsInPrivateDataUntouched(String privateData) {
        assertThat(Responder.judge(Mpa.requestFrame("40 01 0008" + privateData), Mpa.ORDINARY))
                .isEqualTo(new Offer(PeerDepths.NONE, new ReadDepths(16, 8), Octets.ofHex(privateData)));
    }

    /** FC-62. */
    @Test
    void refusesPrivateDataThatDoesNotFitTheReply() {
        MpaFrame enhanced = Mpa.asking(4, 3, Mpa.READ);
        MpaFrame plain = Mpa.requestFrame(PLAIN_V2);

        assertThat(Responder.accept(enhanced, Mpa.ORDINARY, Optional.empty(), Mpa.pd(508)))
                .isNotNull();
        assertThat(Responder.reject(plain, Mpa.ORDINARY, Mpa.pd(512)).privateData())
                .isEqualTo(Mpa.pd(512));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Responder.accept(enhanced, Mpa.ORDINARY, Optional.empty(), Mpa.pd(509)))
                .withMessage("Private data of 509 octets is too long: 508 fit into this MPA frame.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Responder.reject(enhanced, Mpa.ORDINARY, Mpa.pd(509)))
                .withMessage("Private data of 509 octets is too long: 508 fit into this MPA frame.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Responder.reject(plain, Mpa.ORDINARY, Mpa.pd(513)))
                .withMessage("Private data of 513 octets is too long: 512 fit into this MPA frame.");
    }

    /** FC-63: each end states what it wants for itself. */
    @ParameterizedTest(name = "peer M={0}, our M={1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void statesItsOwnMarkersAndSendsThePeers(boolean theirs, boolean ours) {
        MpaFrame request = Mpa.requestFrame(theirs ? "d0 02 0004 8004 c003" : "50 02 0004 8004 c003");

        Accepted accepted = accept(request, Mpa.markers(ours));

        assertThat(accepted.reply().flags().markers()).isEqualTo(ours);
        assertThat(accepted.negotiated().rdma().sendMarkers()).isEqualTo(theirs);
        assertThat(accepted.negotiated().rdma().receiveMarkers()).isEqualTo(ours);
    }

    /** FC-64: the reply's C is our own wish; CRCs are off only when neither wants them. */
    @ParameterizedTest(name = "peer C={0}, {1}: reply C={2}, CRCs {3}")
    @CsvSource({
        "false, REQUIRED,      true,  true",
        "true,  REQUIRED,      true,  true",
        "false, PREFERRED_OFF, false, false",
        "true,  PREFERRED_OFF, false, true",
        "false, STRICT_OFF,    false, false",
    })
    void agreesOnCrcs(boolean theirs, CrcPolicy policy, boolean replyC, boolean crc) {
        MpaFrame request = Mpa.requestFrame(theirs ? "50 02 0004 8004 c003" : "10 02 0004 8004 c003");

        assertThat(Responder.judge(request, Mpa.crc(policy))).isInstanceOf(Offer.class);
        Accepted accepted = accept(request, Mpa.crc(policy));
        assertThat(accepted.reply().flags().crc()).isEqualTo(replyC);
        assertThat(accepted.negotiated().rdma().crc()).isEqualTo(crc);
    }

    /** FC-64: the peer learns it by a reject reply. */
    @Test
    void refusesCrcsByARejectWhenStrictlyOff() {
        assertThat(Responder.judge(Mpa.requestFrame("50 02 0004 8004 c003"), Mpa.crc(CrcPolicy.STRICT_OFF)))
                .isInstanceOfSatisfying(Refused.class, refused -> {
                    assertThat(refused.why()).contains("CRC");
                    assertThat(MpaCodec.encode(refused.reply())).isEqualTo(Mpa.reply("30 02 0004 8010 4004"));
                });
    }

    private static Accepted accept(MpaFrame request, MpaPolicy policy) {
        return Responder.accept(request, policy, Optional.empty(), Octets.EMPTY);
    }

    private static Accepted accept(MpaFrame request, MpaPolicy policy, ReadDepths wish) {
        return Responder.accept(request, policy, Optional.of(wish), Octets.EMPTY);
    }

    private static MpaFrame asking(String offered) {
        RtrSet rtr = set(offered);
        return new MpaFrame(
                Kind.REQUEST,
                new MpaFrame.Flags(false, true, false),
                2,
                Optional.of(new Enhanced(true, rtr, 4, 3)),
                Octets.EMPTY);
    }

    static RtrSet set(String flags) {
        return new RtrSet(flags.contains("B"), flags.contains("C"), flags.contains("D"));
    }
}
