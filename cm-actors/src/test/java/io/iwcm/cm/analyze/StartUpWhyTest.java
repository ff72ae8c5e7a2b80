package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.FpduMaker.send;
import static io.iwcm.cm.analyze.Tape.reply;
import static io.iwcm.cm.analyze.Tape.request;
import static io.iwcm.cm.analyze.Verdict.FAILED;
import static io.iwcm.cm.analyze.Verdict.HEALTHY;
import static io.iwcm.cm.analyze.Verdict.SUSPICIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.SeqNum;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be wrong up to the MPA reply, one capture each, and the words for it. */
class StartUpWhyTest extends WhyScene {

    @Test
    void twoInitiators() {
        tape.open();
        tape.initiator.says(V2_REQUEST);
        tape.responder.says(V2_REQUEST);
        tape.close();
        says(Why.TWO_INITIATORS, FAILED, "Both ends sent an MPA request");
    }

    @Test
    void replyUnasked() {
        tape.open();
        tape.initiator.says(V1_REPLY);
        tape.responder.fin();
        says(Why.REPLY_UNASKED, FAILED, "10.0.0.1:40001 opened TCP and began with an MPA reply");
    }

    @Test
    void noRequest() {
        tape.open();
        tape.later(5000).responder.fin();
        tape.initiator.fin();
        tape.responder.ack();
        says(Why.NO_REQUEST, FAILED, "TCP was opened, but no MPA request came within 5.0 s");
    }

    @Test
    void notMpa() {
        tape.open();
        tape.initiator.says("GET / HTTP/1.1\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        says(Why.NOT_MPA, FAILED, "is no MPA frame: it begins with 0x474554");
    }

    @Test
    void somethingElseAnswersTheRequest() {
        tape.open();
        tape.initiator.says(V1_REQUEST);
        tape.responder.says("220 ready".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        says(Why.NOT_MPA, FAILED, "The answer to the request is no MPA frame: it begins with \"220 ready\"");
    }

    @Test
    void noReply() {
        tape.open();
        tape.initiator.says(V1_REQUEST);
        tape.later(30_000).initiator.ack();
        says(Why.NO_REPLY, FAILED, "No reply came within 30.0 s after the request. TCP acknowledged the request.");
    }

    @Test
    void captureEndsBeforeTheReply() {
        tape.open();
        tape.initiator.says(V1_REQUEST);
        says(Why.ENDS_EARLY, SUSPICIOUS, "The capture ends 1.000 ms after the request, before a reply.");
    }

    @Test
    void requestNeverAcknowledged() {
        tape.open();
        SeqNum at = tape.initiator.next();
        tape.initiator.tells(V1_REQUEST);
        tape.later(1000).initiator.at(at, V1_REQUEST);
        tape.later(2000).initiator.at(at, V1_REQUEST);
        tape.later(8000).initiator.rst();
        says(Why.INITIATOR_GAVE_UP, FAILED, "The request was sent 3 times and TCP never acknowledged it.");
        says(Why.UNACKNOWLEDGED, SUSPICIOUS, "The initiator's last 24 octets were sent again");
    }

    @Test
    void initiatorGaveUp() {
        tape.open();
        tape.initiator.says(V2_REQUEST);
        tape.later(10_100).initiator.fin();
        says(Why.INITIATOR_GAVE_UP, FAILED, "No reply came, and the initiator gave up 10.1 s after its request.");
    }

    @Test
    void resetAfterRequestOfRevision2() {
        tape.open();
        tape.initiator.says(V2_REQUEST);
        tape.responder.rst();
        says(
                Why.CLOSED_AFTER_REQUEST,
                FAILED,
                "The responder reset the connection 2.000 ms after the request, without a reply. It may speak only"
                        + " revision 1");
    }

    @Test
    void finAfterRequestOfRevision1() {
        tape.open();
        tape.initiator.says(V1_REQUEST);
        tape.responder.fin();
        says(Why.CLOSED_AFTER_REQUEST, FAILED, "closed the connection");
        says(Why.CLOSED_AFTER_REQUEST, FAILED, "Revision 1 is not what it minds");
    }

    @Test
    void privateDataBeyondWhatPeersTake() {
        tape.open();
        tape.initiator.says(request("4001 0101", "x".repeat(257)));
        tape.responder.rst();
        says(Why.CLOSED_AFTER_REQUEST, FAILED, "carries 257 octets of private data, and Linux siw and others take at");
    }

    @Test
    void fallBack() {
        tape.open();
        tape.initiator.says(V2_REQUEST);
        tape.responder.rst();
        Tape second = tape.next(40_002, 4420);
        second.open();
        second.initiator.says(V1_REQUEST);
        second.responder.says(V1_REPLY);
        second.initiator.says(there.fpdu(send(1)));
        second.close();

        List<ConnectionReport> both = tape.reports();
        assertThat(both).hasSize(2);
        says(both.getFirst(), Why.CLOSED_AFTER_REQUEST, SUSPICIOUS, "without a reply");
        says(both.getFirst(), Why.FALL_BACK, HEALTHY, "The initiator fell back to revision 1 on port 40002");
        says(both.getLast(), Why.FALL_BACK, HEALTHY, "the one from port 40001 in revision 2 was closed");
        assertThat(both.getLast().verdict()).isEqualTo(HEALTHY);
    }

    @Test
    void fallBackOnTheSameFourTuple() {
        tape.open();
        tape.initiator.says(V2_REQUEST);
        tape.responder.rst();
        tape.initiator.syn();
        tape.responder.synAck();
        tape.initiator.ack();
        tape.initiator.says(V1_REQUEST);
        tape.responder.says(V1_REPLY);

        List<ConnectionReport> both = tape.reports();
        assertThat(both).hasSize(2);
        says(both.getFirst(), Why.FALL_BACK, HEALTHY, "The initiator fell back to revision 1");
    }

    @Test
    void frameIncomplete() {
        tape.open();
        tape.initiator.says(java.util.Arrays.copyOf(V2_REQUEST, 27));
        tape.responder.fin();
        says(Why.FRAME_INCOMPLETE, FAILED, "27 octets of it came, and at least 1 more should have");
    }

    @Test
    void fiveOctetsOfAKey() {
        tape.open();
        tape.initiator.says(java.util.Arrays.copyOf(V2_REQUEST, 5));
        tape.responder.fin();
        says(Why.FRAME_INCOMPLETE, FAILED, "5 octets of it came, and at least 15 more should have");
        assertThat(tape.reports()).hasSize(1);
    }

    @Test
    void privateDataTooLong() {
        tape.open();
        tape.initiator.says(request("4001 0201", ""));
        tape.responder.rst();
        says(Why.PRIVATE_DATA_TOO_LONG, FAILED, "announces more than 512 octets of private data");
    }

    @Test
    void readDepthsMissing() {
        tape.open();
        tape.initiator.says(request("5002 0003 800400", ""));
        tape.responder.says(reply("7002 0000", ""));
        says(Why.READ_DEPTHS_MISSING, FAILED, "S set but announces only 3 octets of private data");
    }

    @Test
    void revisionUnknown() {
        tape.open();
        tape.initiator.says(request("4003 0000", ""));
        tape.responder.fin();
        says(Why.REVISION_UNKNOWN, FAILED, "The initiator's request has revision 3");
    }

    @Test
    void rejectedWithPrivateData() {
        accepted(V2_REQUEST, reply("7002 0006 80034004", "NO"));
        tape.close();
        says(Why.REJECTED, FAILED, "rejected the connection (R set) with 2 octets of private data \"NO\"");
    }

    @Test
    void rejectedForMarkers() {
        accepted(request("c001 0000", ""), reply("2001 0000", ""));
        says(Why.REJECTED, FAILED, "The request asks for markers, which Linux siw and others refuse.");
    }

    @Test
    void rejectedForTooFewReads() {
        accepted(V2_REQUEST, reply("7002 0004 80034009", ""));
        says(Why.REJECTED, FAILED, "Its ORD is above the initiator's IRD");
    }

    @Test
    void rejectBitInRequest() {
        accepted(request("6001 0000", ""), V1_REPLY);
        says(Why.REJECT_BIT_IN_REQUEST, HEALTHY, "The request has R set");
    }

    @Test
    void bytesBeforeReply() {
        tape.open();
        tape.initiator.says(Tape.concat(V2_REQUEST, new byte[4]));
        tape.responder.fin();
        says(Why.BYTES_BEFORE_REPLY, SUSPICIOUS, "The initiator sent 4 octets behind its request before a reply");
        says(Why.CLOSED_AFTER_REQUEST, FAILED, "It got more octets than the request announces");
    }

    @Test
    void slowReply() {
        tape.open();
        tape.initiator.says(V1_REQUEST);
        tape.later(7000).responder.says(V1_REPLY);
        says(Why.SLOW_REPLY, SUSPICIOUS, "The reply took 7.0 s");
    }
}
