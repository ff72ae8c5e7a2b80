package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands in one segment is taken in the order of RFC 9293 §3.10.7.4: numbers, RST, SYN, ACK, text, FIN. */
@DisplayName("The order within a segment")
class SegmentOrderTest {

    @Test
    void nothingIsTakenBeforeWhatMustBeJudgedFirst() {
        script(Openings.PASSIVE, """
            let   req = mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"
            <     FP. 400000:400028(28) ack 1     $req
            >     .   1:1(0)   ack 1
            <     RP. 2:30(28) ack 1              $req
            >     .   1:1(0)   ack 1
            <     SP. 1:29(28) ack 1              $req
            >     .   1:1(0)   ack 1
            <     FP. 1:29(28) ack 100            $req
            >     .   1:1(0)   ack 1
            <     FP  1:29(28)                    $req
            state ESTABLISHED
            <     FP. 1:29(28) ack 1              $req
            >     .   1:1(0)   ack 30
            !     connect-request ird 4 ord 3 pd "ABCD"
            state CLOSE_WAIT
            """);
    }
}
