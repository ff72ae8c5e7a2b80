package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.FpduMaker.send;
import static io.iwcm.cm.analyze.Verdict.FAILED;
import static io.iwcm.cm.analyze.Verdict.HEALTHY;
import static io.iwcm.cm.analyze.Verdict.SUSPICIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.SeqNum;
import org.junit.jupiter.api.Test;

/** What can be wrong with TCP, one capture each, and the words for it. */
class HandshakeWhyTest extends WhyScene {

    @Test
    void synUnanswered() {
        tape.initiator.syn();
        tape.later(999).initiator.synAgain();
        tape.later(1999).initiator.synAgain();
        says(Why.SYN_UNANSWERED, FAILED, "Nobody answered the SYN, which was sent 3 times within 3.0 s");
        assertThat(tape.report().ending().kind()).isEqualTo(ConnectionReport.End.NEVER_OPENED);
    }

    @Test
    void refused() {
        tape.initiator.syn();
        tape.responder.moveTo(new SeqNum(0));
        tape.responder.rst();
        says(Why.REFUSED, FAILED, "10.0.0.2:4420 answered the SYN with RST");
        assertThat(whys(tape.report())).containsExactly(Why.REFUSED);
    }

    @Test
    void handshakeIncomplete() {
        tape.initiator.syn();
        tape.responder.synAck();
        says(Why.HANDSHAKE_INCOMPLETE, FAILED, "The SYN-ACK, sent once, was never acknowledged");
    }

    @Test
    void handshakeResetByTheOpenersOwnHost() {
        tape.initiator.syn();
        tape.responder.synAck();
        tape.initiator.rst();
        says(Why.HANDSHAKE_INCOMPLETE, FAILED, "10.0.0.1:40001 answered the SYN-ACK with RST");
    }

    @Test
    void synRepeated() {
        tape.initiator.syn();
        tape.later(1000).initiator.synAgain();
        tape.responder.synAck();
        tape.initiator.ack();
        says(Why.SYN_REPEATED, SUSPICIOUS, "The SYN had to be sent twice within 1.0 s");
    }

    @Test
    void simultaneousOpenMakesTwoInitiators() {
        tape.initiator.syn();
        tape.responder.syn();
        tape.initiator.moveTo(tape.initiator.next().plus(-1));
        tape.responder.moveTo(tape.responder.next().plus(-1));
        tape.initiator.synAck();
        tape.responder.synAck();
        tape.initiator.says(V2_REQUEST);
        tape.responder.says(V2_REQUEST);
        says(Why.SIMULTANEOUS_OPEN, HEALTHY, "Both ends sent a SYN");
        says(Why.TWO_INITIATORS, FAILED, "TCP was opened from both sides");
    }

    @Test
    void mssTooSmall() {
        tape.responder.mss(64);
        tape.open();
        says(Why.MSS, SUSPICIOUS, "The responder announces an MSS of 64 octets");
    }

    @Test
    void retransmissions() {
        established();
        SeqNum at = tape.initiator.next();
        byte[] fpdu = there.fpdu(send(10));
        tape.initiator.says(fpdu);
        for (int i = 0; i < 3; i++) {
            tape.initiator.at(at, fpdu);
        }
        says(Why.RETRANSMISSIONS, SUSPICIOUS, "The initiator sent 3 segments again");
        assertThat(tape.report().initiator().fpdus().count()).isEqualTo(2);
    }

    @Test
    void beginsLate() {
        established();
        says(Tape.report(tape.without(1, 2, 3)), Why.BEGINS_LATE, HEALTHY, "The capture has no SYN");
        says(Tape.report(tape.without(1, 2, 3, 4, 5)), Why.BEGINS_LATE, HEALTHY, "The capture has no SYN");
        assertThat(Tape.report(tape.without(1, 2, 3, 4, 5)).initiator().fpdus().crcRight())
                .isEqualTo(1);
    }

    @Test
    void oneDirection() {
        established();
        says(
                Tape.report(tape.without(2, 5, 6, 9, 10)),
                Why.ONE_DIRECTION,
                SUSPICIOUS,
                "The capture has only what the initiator sent");
    }

    @Test
    void incomplete() {
        established();
        tape.initiator.says(there.fpdu(send(10)));
        tape.initiator.says(there.fpdu(send(10)));
        ConnectionReport report = Tape.report(tape.without(12));
        says(report, Why.INCOMPLETE, HEALTHY, "The capture lacks 36 octets");
        assertThat(report.initiator().fpdus().count()).isEqualTo(2);
    }
}
