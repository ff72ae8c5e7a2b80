package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.mpa.Initiator.Verdict;
import io.iwcm.cm.mpa.Initiator.Verdict.Accepted;
import io.iwcm.cm.mpa.Initiator.Verdict.MustTerminate;
import io.iwcm.cm.mpa.Initiator.Verdict.Refused;
import io.iwcm.cm.mpa.Initiator.Verdict.Rejected;
import io.iwcm.cm.mpa.Initiator.Wish;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an initiator asks for and what it makes of replies (RFC 5044 §7.1.2, RFC 6581 §9). */
class InitiatorTest {

    @Test
    void asksForPeerToPeerWithEveryRtrItCanSend() {
        Wish wish = new Wish(2, new ReadDepths(4, 3), true, Octets.ofHex("41424344"));

        assertThat(MpaCodec.encode(Initiator.request(wish, Mpa.ORDINARY)))
                .isEqualTo(Mpa.request("50 02 0008 8004 c003 41424344"));
        assertThat(Mpa.controlWords(Initiator.request(wish, Mpa.rtr(Mpa.ALL))).rtr())
                .isEqualTo(Mpa.ALL);
    }

    @Test
    void asksForClientServerWithoutAnyRtr() {
        assertThat(MpaCodec.encode(Initiator.request(Mpa.clientServer(4, 3), Mpa.ORDINARY)))
                .isEqualTo(Mpa.request("50 02 0004 0004 0003"));
    }

    @Test
    void asksInRevision1WithoutAnyDepths() {
        Wish wish = new Wish(1, new ReadDepths(4, 3), true, Octets.ofHex("41424344"));

        assertThat(MpaCodec.encode(Initiator.request(wish, Mpa.ORDINARY)))
                .isEqualTo(Mpa.request("40 01 0004 41424344"));
    }

    /** FC-10: a huge wish is a number, never "do not negotiate". */
    @Test
    void clampsTheDepthsToTheLimits() {
        assertThat(Mpa.controlWords(Initiator.request(Mpa.wish(20, 20), Mpa.ORDINARY)))
                .isEqualTo(new Enhanced(true, RtrSet.WRITE_OR_READ, 16, 8));
        assertThat(Mpa.controlWords(Initiator.request(
                        Mpa.wish(ReadDepths.MAX, ReadDepths.MAX), Mpa.depthsMax(ReadDepths.MAX, ReadDepths.MAX))))
                .isEqualTo(new Enhanced(true, RtrSet.WRITE_OR_READ, 0x3ffe, 0x3ffe));
    }

    /** FC-07. */
    @Test
    void asksForOneReadWhereItOffersAReadRtr() {
        assertThat(Mpa.controlWords(Initiator.request(Mpa.wish(0, 0), Mpa.ORDINARY)))
                .isEqualTo(new Enhanced(true, RtrSet.WRITE_OR_READ, 0, 1));
        assertThat(Mpa.controlWords(Initiator.request(Mpa.wish(0, 0), Mpa.rtr(Mpa.WRITE))))
                .isEqualTo(new Enhanced(true, Mpa.WRITE, 0, 0));
        assertThat(Mpa.controlWords(Initiator.request(Mpa.clientServer(0, 0), Mpa.ORDINARY)))
                .isEqualTo(new Enhanced(false, RtrSet.NONE, 0, 0));
    }

    @Test
    void doesNotOfferReadWhereItMayIssueNone() {
        assertThat(Mpa.controlWords(Initiator.request(Mpa.wish(4, 4), Mpa.depthsMax(16, 0))))
                .isEqualTo(new Enhanced(true, Mpa.WRITE, 4, 0));
    }

    /** FC-62. */
    @Test
    void refusesAWishThatNoRequestCanSay() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initiator.request(wishWith(2, 509), Mpa.ORDINARY))
                .withMessage("Private data of 509 octets is too long: 508 fit into this MPA frame.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initiator.request(wishWith(1, 513), Mpa.ORDINARY))
                .withMessage("Private data of 513 octets is too long: 512 fit into this MPA frame.");
        assertThat(Initiator.request(wishWith(2, 508), Mpa.ORDINARY).privateData())
                .isEqualTo(Mpa.pd(508));
        assertThat(Initiator.request(wishWith(1, 512), Mpa.ORDINARY).privateData())
                .isEqualTo(Mpa.pd(512));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initiator.request(wishWith(0, 0), Mpa.ORDINARY))
                .withMessage("MPA revision 0 cannot be asked for.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initiator.request(wishWith(3, 0), Mpa.ORDINARY))
                .withMessage("MPA revision 3 cannot be asked for.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initiator.request(Mpa.wish(4, 3), Mpa.rtr(RtrSet.NONE)))
                .withMessage("The peer-to-peer model needs an RTR form that this end can send.");
    }

    /** FC-08, FC-11: own IRD 4 and ORD 8, IRD 6 at most; 16383 is "do not negotiate" (FC-10). */
    @ParameterizedTest(name = "reply {0}/{1}: we hold {2}/{3}")
    @CsvSource({
        "3,     4,     4, 3",
        "8,     6,     6, 8",
        "8,     0,     4, 8",
        "1,     4,     4, 1",
        "16383, 5,     5, 8",
        "3,     16383, 4, 3",
        "16383, 16383, 4, 8",
        "16382, 6,     6, 8",
    })
    void adjustsItsDepthsToTheReply(int ird, int ord, int ourIrd, int ourOrd) {
        Verdict verdict = Initiator.judge(Mpa.wish(4, 8), Mpa.depthsMax(6, 8), Mpa.answering(ird, ord, Mpa.READ));

        assertThat(verdict).isInstanceOfSatisfying(Accepted.class, accepted -> {
            Negotiated negotiated = accepted.negotiated();
            assertThat(negotiated.rdma().depths()).isEqualTo(new ReadDepths(ourIrd, ourOrd));
            assertThat(negotiated.told()).isEqualTo(new ReadDepths(ourIrd, ourOrd));
            assertThat(negotiated.peer()).isEqualTo(new PeerDepths(true, ird, ord));
            assertThat(negotiated.rdma().initiator()).isTrue();
            assertThat(negotiated.revision()).isEqualTo(2);
        });
    }

    @Test
    void cutsOrdToNothingInTheClientServerModel() {
        assertThat(negotiated(Mpa.clientServer(4, 8), Mpa.ORDINARY, Mpa.answering(0, 4, RtrSet.NONE))
                        .rdma()
                        .depths())
                .isEqualTo(new ReadDepths(4, 0));
    }

    /** FC-11: a Terminate that says why, not a bare reset. */
    @ParameterizedTest
    @ValueSource(ints = {7, 255, 0x3ffe})
    void terminatesWhenItCannotTakeThatManyReads(int ord) {
        Verdict verdict = Initiator.judge(Mpa.wish(4, 8), Mpa.depthsMax(6, 8), Mpa.answering(8, ord, Mpa.READ));

        assertThat(verdict).isInstanceOfSatisfying(MustTerminate.class, terminate -> {
            assertThat(terminate.code()).isEqualTo(new TermCode(2, 0, 6));
            assertThat(terminate.negotiated().peer()).isEqualTo(new PeerDepths(true, 8, ord));
            assertThat(terminate.negotiated().rdma().rtr()).isEmpty();
        });
    }

    /** FC-06: out of the reply, in a fixed order, and only what we offered. */
    @ParameterizedTest(name = "we can {0}, reply {1}: {2}")
    @CsvSource({
        "CD,  C,   WRITE",
        "CD,  D,   READ",
        "CD,  CD,  READ",
        "CD,  BC,  WRITE",
        "BCD, BCD, READ",
        "BCD, BC,  WRITE",
        "BCD, B,   SEND",
        "BC,  BCD, WRITE",
    })
    void picksTheRtrFromTheReply(String ours, String named, Rtr rtr) {
        Negotiated negotiated = negotiated(
                Mpa.wish(4, 4), Mpa.rtr(ResponderTest.set(ours)), Mpa.answering(4, 4, ResponderTest.set(named)));

        assertThat(negotiated.rdma().rtr()).hasValue(rtr);
        assertThat(negotiated.rdma().peerToPeer()).isTrue();
    }

    /** FC-06: none that we could send, none at all, or the peer-to-peer model not echoed. */
    @ParameterizedTest(name = "we can {0}, control words {1}")
    @CsvSource({
        "CD, c0040004",
        "CD, 80040004",
        "C,  80044004",
        "CD, 00040004",
        "CD, 4004c004",
        "D,  80004004",
    })
    void terminatesWithoutAUsableRtr(String ours, String controlWords) {
        Verdict verdict = Initiator.judge(
                Mpa.wish(4, 4), Mpa.rtr(ResponderTest.set(ours)), Mpa.replyFrame("50 02 0004" + controlWords));

        assertThat(verdict).isInstanceOfSatisfying(MustTerminate.class, terminate -> {
            assertThat(terminate.code()).isEqualTo(new TermCode(2, 0, 7));
            assertThat(terminate.negotiated().rdma().rtr()).isEmpty();
            assertThat(terminate.negotiated().rdma().crc()).isTrue();
        });
    }

    /** FC-07: one read for the RTR, of which the application is not told. */
    @Test
    void keepsOneReadForAReadRtr() {
        Negotiated negotiated = negotiated(Mpa.wish(0, 0), Mpa.ORDINARY, Mpa.answering(1, 0, Mpa.READ));

        assertThat(negotiated.rdma().depths()).isEqualTo(new ReadDepths(0, 1));
        assertThat(negotiated.rdma().rtr()).hasValue(Rtr.READ);
        assertThat(negotiated.told()).isEqualTo(new ReadDepths(0, 0));
    }

    @Test
    void givesTheReadBackWhenTheRtrIsAWrite() {
        Negotiated negotiated = negotiated(Mpa.wish(0, 0), Mpa.ORDINARY, Mpa.answering(1, 0, Mpa.WRITE));

        assertThat(negotiated.rdma().depths()).isEqualTo(new ReadDepths(0, 0));
    }

    @Test
    void passesOverAReadRtrThatTheResponderHasNoRoomFor() {
        Negotiated negotiated = negotiated(Mpa.wish(4, 4), Mpa.ORDINARY, Mpa.answering(0, 4, RtrSet.WRITE_OR_READ));

        assertThat(negotiated.rdma().rtr()).hasValue(Rtr.WRITE);
        assertThat(negotiated.rdma().depths()).isEqualTo(new ReadDepths(4, 0));
    }

    @Test
    void refusesPeerToPeerThatItDidNotAskForUnlessLenient() {
        MpaFrame reply = Mpa.answering(4, 4, Mpa.READ);

        assertThat(Initiator.judge(Mpa.clientServer(4, 4), Mpa.ORDINARY, reply)).isInstanceOf(Refused.class);
        Negotiated adopted = negotiated(Mpa.clientServer(4, 4), Mpa.lenient(), reply);
        assertThat(adopted.rdma().peerToPeer()).isFalse();
        assertThat(adopted.rdma().rtr()).isEmpty();
    }

    @Test
    void ignoresTheRtrFlagsOfAClientServerReply() {
        Negotiated negotiated =
                negotiated(Mpa.clientServer(4, 4), Mpa.ORDINARY, Mpa.replyFrame("50 02 0004 4004 c004"));

        assertThat(negotiated.rdma().rtr()).isEmpty();
        assertThat(negotiated.rdma().peerToPeer()).isFalse();
    }

    /** FC-89; revision 3 does not get past the decoder. */
    @ParameterizedTest(name = "request of revision {0}, reply {1}")
    @CsvSource({"2, 40 01 0002 0102", "2, 40 02 0002 0102", "1, 40 02 0002 0102", "1, 50 02 0006 8001 4008 0102"})
    void judgesAReplyInAnotherForm(int revision, String reply) {
        Wish wish = new Wish(revision, new ReadDepths(4, 3), revision == 2, Octets.EMPTY);
        MpaFrame frame = Mpa.replyFrame(reply);

        assertThat(Initiator.judge(wish, Mpa.ORDINARY, frame)).isInstanceOf(Refused.class);
        assertThat(Initiator.judge(wish, Mpa.lenient(), frame)).isInstanceOfSatisfying(Accepted.class, accepted -> {
            assertThat(accepted.privateData()).isEqualTo(Octets.ofHex("0102"));
            assertThat(accepted.negotiated().revision()).isEqualTo(frame.revision());
            assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(4, 3));
            assertThat(accepted.negotiated().rdma().peerToPeer()).isFalse();
            assertThat(accepted.negotiated().rdma().rtr()).isEmpty();
        });
    }

    @Test
    void saysWhatDiffersInTheReply() {
        assertThat(Initiator.judge(Mpa.wish(4, 3), Mpa.ORDINARY, Mpa.replyFrame("40 01 0000")))
                .isEqualTo(new Refused("request of revision 2, reply of revision 1 without S"));
    }

    @Test
    void neverAdoptsRevision0() {
        MpaFrame reply = Mpa.replyFrame("00 00 0000");

        assertThat(Initiator.judge(Mpa.revision1(4, 3), Mpa.lenient(), reply)).isInstanceOf(Refused.class);
        assertThat(Initiator.judge(Mpa.wish(4, 3), Mpa.lenient(), reply)).isInstanceOf(Refused.class);
    }

    @Test
    void acceptsARevision1ReplyToARevision1Request() {
        assertThat(Initiator.judge(Mpa.revision1(20, 3), Mpa.ORDINARY, Mpa.replyFrame("40 01 0001 aa")))
                .isInstanceOfSatisfying(Accepted.class, accepted -> {
                    assertThat(accepted.negotiated().rdma().depths()).isEqualTo(new ReadDepths(16, 3));
                    assertThat(accepted.negotiated().peer()).isEqualTo(PeerDepths.NONE);
                    assertThat(accepted.privateData()).isEqualTo(Octets.ofHex("aa"));
                });
    }

    /** A reject in any form is a reject: it ends the same way and may carry a reason. */
    @ParameterizedTest
    @CsvSource({
        "70 02 0006 8003 4004 4e4f, true, 3, 4",
        "70 02 0006 0000 0000 4e4f, true, 0, 0",
        "60 02 0002 4e4f, false, 0, 0",
        "60 01 0002 4e4f, false, 0, 0",
        "a0 00 0002 4e4f, false, 0, 0",
    })
    void handsUpARejectWithThePeersDepthsAndPrivateData(String reply, boolean present, int ird, int ord) {
        assertThat(Initiator.judge(Mpa.wish(0, 0), Mpa.crc(CrcPolicy.STRICT_OFF), Mpa.replyFrame(reply)))
                .isEqualTo(new Rejected(new PeerDepths(present, ird, ord), Octets.ofHex("4e4f")));
    }

    /** FC-03 on the active side. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 508})
    void handsUpThePrivateDataWithoutTheControlWords(int length) {
        Octets tail = Octets.ofHex("%04x 8004 4004".formatted(length + 4)).concat(Mpa.pd(length));
        MpaFrame accept = Mpa.whole(Mpa.reply("50 02").concat(tail), Kind.REPLY);
        MpaFrame reject = Mpa.whole(Mpa.reply("70 02").concat(tail), Kind.REPLY);

        assertThat(Initiator.judge(Mpa.wish(4, 4), Mpa.ORDINARY, accept))
                .isInstanceOfSatisfying(
                        Accepted.class,
                        accepted -> assertThat(accepted.privateData()).isEqualTo(Mpa.pd(length)));
        assertThat(Initiator.judge(Mpa.wish(4, 4), Mpa.ORDINARY, reject))
                .isEqualTo(new Rejected(new PeerDepths(true, 4, 4), Mpa.pd(length)));
    }

    /** FC-63. */
    @ParameterizedTest(name = "peer M={0}, our M={1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void statesItsOwnMarkersAndSendsThePeers(boolean theirs, boolean ours) {
        MpaPolicy policy = Mpa.markers(ours);
        MpaFrame reply = Mpa.replyFrame(theirs ? "d0 02 0004 8004 4004" : "50 02 0004 8004 4004");

        assertThat(Initiator.request(Mpa.wish(4, 4), policy).flags().markers()).isEqualTo(ours);
        assertThat(negotiated(Mpa.wish(4, 4), policy, reply).rdma().sendMarkers())
                .isEqualTo(theirs);
        assertThat(negotiated(Mpa.wish(4, 4), policy, reply).rdma().receiveMarkers())
                .isEqualTo(ours);
    }

    /** FC-64. */
    @ParameterizedTest(name = "peer C={0}, {1}: request C={2}, CRCs {3}")
    @CsvSource({
        "false, REQUIRED,      true,  true",
        "true,  REQUIRED,      true,  true",
        "false, PREFERRED_OFF, false, false",
        "true,  PREFERRED_OFF, false, true",
        "false, STRICT_OFF,    false, false",
    })
    void agreesOnCrcs(boolean theirs, CrcPolicy crc, boolean requestC, boolean used) {
        MpaFrame reply = Mpa.replyFrame(theirs ? "50 02 0004 8004 4004" : "10 02 0004 8004 4004");

        assertThat(Initiator.request(Mpa.wish(4, 4), Mpa.crc(crc)).flags().crc())
                .isEqualTo(requestC);
        assertThat(negotiated(Mpa.wish(4, 4), Mpa.crc(crc), reply).rdma().crc()).isEqualTo(used);
    }

    /** FC-64: an accepting reply is in our hands, so the peer is owed a Terminate (RFC 6581 §9.3, local error). */
    @Test
    void terminatesWhenThePeerInsistsOnCrcsThatAreStrictlyOff() {
        MpaFrame reply = Mpa.replyFrame("50 02 0004 8004 4004");

        assertThat(Initiator.judge(Mpa.wish(4, 4), Mpa.crc(CrcPolicy.STRICT_OFF), reply))
                .isInstanceOfSatisfying(MustTerminate.class, terminate -> {
                    assertThat(terminate.code()).isEqualTo(new TermCode(2, 0, 5));
                    assertThat(terminate.negotiated().rdma().crc()).isTrue();
                });
    }

    private static Wish wishWith(int revision, int privateDataLength) {
        return new Wish(revision, new ReadDepths(4, 3), false, Mpa.pd(privateDataLength));
    }

    private static Negotiated negotiated(Wish wish, MpaPolicy policy, MpaFrame reply) {
        Verdict verdict = Initiator.judge(wish, policy, reply);
        assertThat(verdict).isInstanceOf(Accepted.class);
        return ((Accepted) verdict).negotiated();
    }
}
