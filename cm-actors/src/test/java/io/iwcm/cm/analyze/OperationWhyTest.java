package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.FpduMaker.emptyRead;
import static io.iwcm.cm.analyze.FpduMaker.send;
import static io.iwcm.cm.analyze.FpduMaker.tagged;
import static io.iwcm.cm.analyze.FpduMaker.terminate;
import static io.iwcm.cm.analyze.Tape.reply;
import static io.iwcm.cm.analyze.Tape.request;
import static io.iwcm.cm.analyze.Verdict.FAILED;
import static io.iwcm.cm.analyze.Verdict.HEALTHY;
import static io.iwcm.cm.analyze.Verdict.SUSPICIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What can be wrong in full operation, one capture each, and the words for it. */
class OperationWhyTest extends WhyScene {

    @Test
    void findsNothingInAHealthyConnection() {
        established();
        tape.initiator.says(there.fpdu(send(100)));
        tape.responder.says(back.fpdu(send(3)));
        tape.close();

        ConnectionReport report = tape.report();
        assertThat(report.findings()).isEmpty();
        assertThat(report.verdict()).isEqualTo(HEALTHY);
        assertThat(report.initiator().fpdus().count()).isEqualTo(2);
        assertThat(report.initiator().fpdus().crcRight()).isEqualTo(2);
        assertThat(report.responder().fpdus().first()).containsExactly("RDMA Read Response, zero-length", "Send");
        assertThat(report.moments())
                .extracting(m -> m.kind().label()
                        + (m.byInitiator() ? ">" : "<")
                        + m.first().frame())
                .containsExactly(
                        "syn>1",
                        "syn-ack<2",
                        "ack>3",
                        "request>4",
                        "reply<6",
                        "rtr>8",
                        "fpdu<10",
                        "fpdu>12",
                        "fin>16",
                        "fin<17");
        assertThat(report.agreed().orElseThrow())
                .hasToString("Agreed[revision=2, peerToPeer=true, rtr=Optional[READ], crc=true,"
                        + " markersToInitiator=false, markersToResponder=false, initiatorReads=3, responderReads=4]");
        assertThat(report.ending().words()).isEqualTo("the initiator sent FIN and the responder closed too");
    }

    @Test
    void crcWrong() {
        established();
        byte[] fpdu = there.fpdu(send(20));
        fpdu[22] ^= 1;
        tape.initiator.says(fpdu);
        says(Why.CRC_WRONG, FAILED, "1 FPDU of the initiator had a wrong CRC (the first begins in frame 12)");
    }

    @Test
    void markerWrong() {
        accepted(request("c001 0000", ""), reply("0001 0000", ""));
        tape.initiator.says(new FpduMaker(false, true).fpdu(send(1)));
        byte[] fpdu = new FpduMaker(true, false).fpdu(send(20));
        fpdu[3] = 8;
        tape.responder.says(fpdu);
        says(Why.MARKER_WRONG, FAILED, "In 1 FPDU of the responder a marker does not point to the length field");
    }

    @Test
    void ddpWrong() {
        established();
        tape.initiator.says(there.fpdu(new byte[40]));
        says(Why.DDP_WRONG, FAILED, "1 FPDU of the initiator had no DDP and RDMAP header of version 1");
    }

    @Test
    void responderFirst() {
        accepted(V1_REQUEST, V1_REPLY);
        tape.responder.says(back.fpdu(send(5)));
        tape.initiator.says(there.fpdu(send(5)));
        says(Why.RESPONDER_FIRST, SUSPICIOUS, "The responder sent an FPDU before it had one of the initiator");
    }

    @Test
    void rtrMissing() {
        accepted(V2_REQUEST, V2_REPLY);
        says(Why.RTR_MISSING, SUSPICIOUS, "the initiator's RTR never came");
        tape.initiator.rst();
        says(Why.RTR_MISSING, FAILED, "the initiator's RTR never came; the initiator reset it");
    }

    @Test
    void rtrNotFirst() {
        accepted(V2_REQUEST, V2_REPLY);
        tape.initiator.says(there.fpdu(send(9)));
        says(Why.RTR_NOT_FIRST, SUSPICIOUS, "first FPDU is no RTR");
    }

    @Test
    void rtrNotAgreed() {
        accepted(V2_REQUEST, V2_REPLY);
        tape.initiator.says(there.fpdu(tagged(0, 0)));
        says(Why.RTR_NOT_AGREED, SUSPICIOUS, "RTR is of the form RDMA Write, zero-length, and the reply names read");
    }

    @Test
    void rtrUnanswered() {
        accepted(V2_REQUEST, V2_REPLY);
        tape.initiator.says(there.fpdu(emptyRead()));
        tape.close();
        says(Why.RTR_UNANSWERED, SUSPICIOUS, "never answered with a Read Response");
    }

    @Test
    void terminateOfRdmap() {
        established();
        tape.responder.says(back.fpdu(terminate(0x01, 1)));
        says(Why.TERMINATE, FAILED, "RDMAP remote protection error, base or bounds violation");
    }

    @Test
    void reset() {
        established();
        tape.responder.rst();
        says(Why.RESET, SUSPICIOUS, "The responder ended the connection with RST in full operation");
    }

    @Test
    void resetBeforeAnyFpdu() {
        accepted(V1_REQUEST, V1_REPLY);
        tape.initiator.rst();
        says(Why.RESET, FAILED, "The initiator reset the connection right after it was accepted");
    }

    @Test
    void fpduCut() {
        established();
        tape.initiator.says(java.util.Arrays.copyOf(there.fpdu(send(100)), 50));
        tape.close();
        says(Why.FPDU_CUT, SUSPICIOUS, "The initiator's stream ends in the middle of an FPDU");
    }

    @Test
    void noFpdu() {
        accepted(V1_REQUEST, V1_REPLY);
        tape.close();
        says(Why.NO_FPDU, HEALTHY, "accepted and closed without a single FPDU");
    }
}
