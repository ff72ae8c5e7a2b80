package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.FpduMaker.terminate;
import static io.iwcm.cm.analyze.Tape.reply;
import static io.iwcm.cm.analyze.Tape.request;
import static io.iwcm.cm.analyze.Verdict.FAILED;
import static io.iwcm.cm.analyze.Verdict.HEALTHY;
import static io.iwcm.cm.analyze.Verdict.SUSPICIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What can be wrong between MPA request and reply, one capture each, and the words for it. */
class NegotiationWhyTest extends WhyScene {

    @Test
    void revisionDiffersAndTheInitiatorCloses() {
        accepted(V2_REQUEST, V1_REPLY);
        tape.close();
        says(Why.REVISION_DIFFERS, SUSPICIOUS, "The request has revision 2 and the reply revision 1");
        says(Why.NOT_ENHANCED, SUSPICIOUS, "The request is enhanced (S set) and the reply is not");
        says(Why.REPLY_NOT_TAKEN, FAILED, "The initiator closed the connection 2.000 ms after an accepting reply");
    }

    @Test
    void enhancedReplyToAPlainRequest() {
        accepted(request("4002 0004", "ping"), V2_REPLY);
        says(Why.ENHANCED_UNASKED, SUSPICIOUS, "The reply is enhanced (S set) and the request was not");
    }

    @Test
    void flagANotEchoed() {
        accepted(V2_REQUEST, reply("5002 0004 00030004", ""));
        tape.initiator.says(there.fpdu(terminate(0x20, 7)));
        tape.close();
        says(Why.A_NOT_ECHOED, FAILED, "the reply does not echo A");
        says(Why.TERMINATE, FAILED, "MPA error, no matching RTR option (layer 2, type 0, code 7)");
        assertThat(tape.report().findings().getFirst().why()).isEqualTo(Why.A_NOT_ECHOED);
    }

    @Test
    void flagAUnasked() {
        accepted(request("5002 0004 00040003", ""), V2_REPLY);
        says(Why.A_UNASKED, SUSPICIOUS, "The reply sets A");
    }

    @Test
    void noCommonRtr() {
        accepted(V2_REQUEST, reply("5002 0004 c0030004", ""));
        says(Why.NO_COMMON_RTR, FAILED, "can send write|read, the responder takes send");
    }

    @Test
    void noRtrOffered() {
        accepted(request("5002 0004 80040003", ""), V2_REPLY);
        says(Why.NO_RTR_OFFERED, SUSPICIOUS, "names no form of RTR");
    }

    @Test
    void irdTooSmall() {
        accepted(V2_REQUEST, reply("5002 0004 80034007", ""));
        tape.initiator.says(there.fpdu(terminate(0x02, 6)));
        says(Why.IRD_TOO_SMALL, SUSPICIOUS, "wants to have 7 reads outstanding (ORD), and the initiator offered 4");
        says(Why.TERMINATE, FAILED, "MPA error, insufficient IRD resources (layer 2, type 0, code 6)");
        says(Why.NIBBLES_SWAPPED, HEALTHY, "as Linux siw writes them");
    }

    @Test
    void ordCut() {
        accepted(request("5002 0004 8004c008", ""), V2_REPLY);
        says(Why.ORD_CUT, HEALTHY, "The initiator asked for 8 outstanding reads and the responder takes 3");
    }

    @Test
    void readRtrWithoutIrd() {
        accepted(V2_REQUEST, reply("5002 0004 80004004", ""));
        says(Why.READ_RTR_WITHOUT_IRD, SUSPICIOUS, "the responder's IRD is 0");
    }

    @Test
    void depthsNotNegotiated() {
        accepted(request("5002 0004 bfffffff", ""), reply("5002 0004 bfff7fff", ""));
        says(Why.DEPTHS_NOT_NEGOTIATED, HEALTHY, "0x3FFF");
        assertThat(whys(tape.report())).doesNotContain(Why.IRD_TOO_SMALL, Why.ORD_CUT);
        assertThat(tape.report().agreed().orElseThrow().initiatorReads()).isEqualTo(-1);
    }

    @Test
    void markersAsked() {
        accepted(request("c001 0000", ""), reply("4001 0000", ""));
        says(Why.MARKERS_ASKED, HEALTHY, "The initiator asks for markers in the stream toward itself");
    }

    @Test
    void crcOneSided() {
        accepted(request("0001 0000", ""), reply("4001 0000", ""));
        says(Why.CRC_ONE_SIDED, HEALTHY, "Only the responder asks for CRCs");
    }
}
