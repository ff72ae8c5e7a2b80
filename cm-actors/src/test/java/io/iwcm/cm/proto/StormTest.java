package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand connects to a peer that answers one at a time. */
@DisplayName("Connection storm")
class StormTest {

    private static final int CONNECTS = 1000;
    private static final int TURN_MS = 50;

    /** When the SYN is sent again: 1 s later, then twice as long each time, at most a minute. */
    private static final int[] AGAIN_MS = {1_000, 3_000, 7_000, 15_000, 31_000, 63_000};

    @Test
    @Tag("FC-25")
    void connectsToAPeerThatAnswersOneEvery50Milliseconds() {
        for (int turn = 1; turn <= CONNECTS; turn++) {
            script(opened(turn * TURN_MS + 1), """
                >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
                <     .   1:1(0)   ack 25
                +%d   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
                >     .   25:25(0) ack 25
                !     hand-over qp 7 snd 25 una 25 rcv 25 rtr read
                !     connect-reply ok ird 4 ord 3 peer ird 3 ord 4
                """.formatted(turn * TURN_MS));
        }
    }

    /** The SYN, what has to be sent again until then and no more, and the answer after so long. */
    private static String opened(int answeredMs) {
        StringBuilder script = new StringBuilder(Openings.SYN_SENT);
        int now = 0;
        for (int again : AGAIN_MS) {
            if (again >= answeredMs) break;
            script.append("+%d > S 0:0(0)%n".formatted(again - now));
            now = again;
        }
        return script.append("+%d < S. 0:0(0) ack 1 mss 1460 ws 7%n".formatted(answeredMs - now))
                .toString();
    }
}
