package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;

/** Words for MPA tests: frames in hex without their key, policies and wishes that differ from an ordinary one. */
final class Mpa {

    static final String REQUEST_KEY = "4d504120 49442052 65712046 72616d65";
    static final String REPLY_KEY = "4d504120 49442052 65702046 72616d65";

    static final RtrSet SEND = new RtrSet(true, false, false);
    static final RtrSet WRITE = new RtrSet(false, true, false);
    static final RtrSet READ = new RtrSet(false, false, true);
    static final RtrSet ALL = new RtrSet(true, true, true);

    /** Read depths 16 and 8, CRCs, no markers, RTR by Write or Read, strict. */
    static final MpaPolicy ORDINARY =
            new MpaPolicy(new ReadDepths(16, 8), CrcPolicy.REQUIRED, false, RtrSet.WRITE_OR_READ, false, true, false);

    private Mpa() {}

    static Octets request(String hexAfterKey) {
        return Octets.ofHex(REQUEST_KEY + hexAfterKey);
    }

    static Octets reply(String hexAfterKey) {
        return Octets.ofHex(REPLY_KEY + hexAfterKey);
    }

    static MpaFrame requestFrame(String hexAfterKey) {
        return whole(request(hexAfterKey), Kind.REQUEST);
    }

    static MpaFrame replyFrame(String hexAfterKey) {
        return whole(reply(hexAfterKey), Kind.REPLY);
    }

    /** A revision 2 request with S; peer-to-peer exactly when it offers an RTR form. */
    static MpaFrame asking(int ird, int ord, RtrSet rtr) {
        Octets words = words(new Enhanced(!rtr.isEmpty(), rtr, ird, ord));
        return whole(request("50 02 0004").concat(words), Kind.REQUEST);
    }

    /** An accepting revision 2 reply with S; peer-to-peer exactly when it names an RTR form. */
    static MpaFrame answering(int ird, int ord, RtrSet rtr) {
        Octets words = words(new Enhanced(!rtr.isEmpty(), rtr, ird, ord));
        return whole(reply("50 02 0004").concat(words), Kind.REPLY);
    }

    static MpaFrame whole(Octets octets, Kind kind) {
        assertThat(MpaCodec.decode(octets, kind)).isInstanceOf(Complete.class);
        Complete complete = (Complete) MpaCodec.decode(octets, kind);
        assertThat(complete.length()).isEqualTo(octets.length());
        return complete.frame();
    }

    static Enhanced controlWords(MpaFrame frame) {
        return frame.enhanced().orElseThrow();
    }

    static Octets pd(int length) {
        byte[] octets = new byte[length];
        for (int i = 0; i < length; i++) {
            octets[i] = (byte) (i * 7 + 1);
        }
        return Octets.wrap(octets);
    }

    static MpaPolicy depthsMax(int ird, int ord) {
        return with(new ReadDepths(ird, ord), ORDINARY.crc(), ORDINARY.receiveMarkers(), ORDINARY.rtr());
    }

    static MpaPolicy crc(CrcPolicy crc) {
        return with(ORDINARY.depthsMax(), crc, ORDINARY.receiveMarkers(), ORDINARY.rtr());
    }

    static MpaPolicy markers(boolean receive) {
        return with(ORDINARY.depthsMax(), ORDINARY.crc(), receive, ORDINARY.rtr());
    }

    static MpaPolicy rtr(RtrSet rtr) {
        return with(ORDINARY.depthsMax(), ORDINARY.crc(), ORDINARY.receiveMarkers(), rtr);
    }

    static MpaPolicy lenient() {
        return new MpaPolicy(ORDINARY.depthsMax(), ORDINARY.crc(), false, ORDINARY.rtr(), false, false, false);
    }

    static MpaPolicy acceptingRevision0() {
        return new MpaPolicy(ORDINARY.depthsMax(), ORDINARY.crc(), false, ORDINARY.rtr(), false, true, true);
    }

    static MpaPolicy answeringAll(RtrSet rtr) {
        return new MpaPolicy(ORDINARY.depthsMax(), ORDINARY.crc(), false, rtr, true, true, false);
    }

    static Initiator.Wish wish(int ird, int ord) {
        return new Initiator.Wish(2, new ReadDepths(ird, ord), true, Octets.EMPTY);
    }

    static Initiator.Wish clientServer(int ird, int ord) {
        return new Initiator.Wish(2, new ReadDepths(ird, ord), false, Octets.EMPTY);
    }

    static Initiator.Wish revision1(int ird, int ord) {
        return new Initiator.Wish(1, new ReadDepths(ird, ord), false, Octets.EMPTY);
    }

    private static MpaPolicy with(ReadDepths depthsMax, CrcPolicy crc, boolean markers, RtrSet rtr) {
        return new MpaPolicy(depthsMax, crc, markers, rtr, ORDINARY.answerAllRtr(), ORDINARY.strictReply(), false);
    }

    /** By hand, so that a test of the codec does not lean on the codec. */
    private static Octets words(Enhanced enhanced) {
        int first = (enhanced.peerToPeer() ? 0x8000 : 0) | (enhanced.rtr().send() ? 0x4000 : 0) | enhanced.ird();
        int second = (enhanced.rtr().write() ? 0x8000 : 0) | (enhanced.rtr().read() ? 0x4000 : 0) | enhanced.ord();
        return Octets.ofHex("%04x%04x".formatted(first, second));
    }
}
