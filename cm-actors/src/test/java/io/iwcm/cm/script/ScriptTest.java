package io.iwcm.cm.script;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmOutput.Arm;
import io.iwcm.cm.proto.CmOutput.Notify;
import io.iwcm.cm.proto.CmOutput.ToNic;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** One true script, and machines that each break it in one way: every break must be noticed at its line. */
class ScriptTest {

    private static final String TRUE = """
        .  listen 4420
        <  S   0:0(0) win 1000 mss 1460
        >  S.  0:0(0) ack 1 mss 1400
        +1000  >  S.  0:0(0) ack 1
        count pkt_retrans 1
        +10  <  .  1:1(0) ack 1
        >  .   1:1(0) ack 1
        !  connect-request rev 2 ird 8 ord 4 pd "hi"
        state MPAREQ_RCVD
        +50  .  accept qp 7
        !  hand-over qp 7 snd 1 rcv 1 lsmm mpa-rep rev 2 ird 4 ord 8 p2p crc
        !  established ird 4 ord 8
        +10s quiet
        ae close-complete
        !  disconnected
        !  closed
        ends
        """;

    private static final Predicate<CmOutput> IS_ACK =
            output -> output instanceof ToNic(Transmit(Segment segment)) && !segment.syn();

    private static final Predicate<CmOutput> IS_FREE_AH = output -> output instanceof ToNic(NicCommand.FreeAh _);

    @Test
    void followsAMachineThatDoesAsTheScriptSays() {
        Script.against(new ToyMachine(outputs -> outputs)).play(TRUE);
    }

    @Test
    void noticesAWrongNumber() {
        breaking(each(output -> output instanceof ToNic(Transmit(Segment segment)) && segment.syn()
                        ? new ToNic(new Transmit(withAck(segment, 1)))
                        : output))
                .hasMessageContaining("script line 3: expected")
                .hasMessageContaining("ack: expected 1, was 2")
                .hasMessageContaining("   3 | >  S.  0:0(0) ack 1 mss 1400\n     | ^")
                .hasMessageContaining("trace:")
                .hasMessageContaining("< S  0:0(0) win 1000 mss 1460 ws none");
    }

    @Test
    void noticesAWrongOption() {
        breakingText(TRUE.replace("mss 1400", "mss 1460"), outputs -> outputs)
                .hasMessageContaining("script line 3:")
                .hasMessageContaining("mss: expected 1460, was 1400");
    }

    @Test
    void noticesAMissingOutput() {
        breaking(without(IS_ACK))
                .hasMessageContaining("script line 7: expected\n  > .  1:1(0) ack 1")
                .hasMessageContaining("but the machine did\n  ! connect-request rev 2");
    }

    @Test
    void noticesThatNothingCame() {
        breakingText(TRUE.replace("rtr\n", "") + ">  .  1:1(0) ack 1\n", outputs -> outputs)
                .hasMessageContaining("script line 18: expected\n  > .  1:1(0) ack 1\nbut nothing came");
    }

    @Test
    void noticesAnExtraOutput() {
        breaking(outputs -> outputs.stream().anyMatch(IS_ACK) ? twice(IS_ACK).apply(outputs) : outputs)
                .hasMessageContaining("script line 8: expected\n  ! connect-request")
                .hasMessageContaining("but the machine did\n  > .  1:1(0) ack 1");
    }

    @Test
    void noticesAnExtraOutputAfterTheLastExpectedOne() {
        breaking(outputs -> {
                    List<CmOutput> more = new ArrayList<>(outputs);
                    outputs.stream().filter(IS_ACK).forEach(more::add);
                    return more;
                })
                .hasMessageContaining("script line 10: nothing claims what came in line 6, before time moves on:")
                .hasMessageContaining("  > .  1:1(0) ack 1 win 1000");
    }

    @Test
    void noticesAnOutputThatNothingClaimsBeforeTheNextInput() {
        breakingText(TRUE.replace("!  established ird 4 ord 8\n+10s quiet\n", ""), outputs -> outputs)
                .hasMessageContaining("script line 12: nothing claims what came in line 10, before the next input: ae");
    }

    @Test
    void noticesAnOutputThatNothingClaimsAtTheEnd() {
        breakingText(TRUE.replace("!  closed\nends\n", ""), outputs -> outputs)
                .hasMessageContaining("script line 15: nothing claims what came in line 14, before the script ends")
                .hasMessageContaining("! closed cause ok");
    }

    @Test
    void noticesTheWrongOrder() {
        breaking(outputs -> outputs.stream().anyMatch(IS_ACK) ? outputs.reversed() : outputs)
                .hasMessageContaining("script line 7:")
                .hasMessageContaining("it is a different thing");
    }

    @Test
    void noticesWrongNumbersOfAHandOver() {
        breakingText(TRUE.replace("rcv 1 lsmm", "rcv 25 lsmm"), outputs -> outputs)
                .hasMessageContaining("script line 11:")
                .hasMessageContaining("rcv: expected 25, was 1");
    }

    @Test
    void noticesAnotherReplyInAHandOver() {
        breakingText(TRUE.replace("ord 8 p2p crc", "ord 8 p2p"), outputs -> outputs)
                .hasMessageContaining("script line 11:")
                .hasMessageContaining(
                        "lsmm: expected mpa-rep rev 2 ird 4 ord 8 p2p, was mpa-rep rev 2 ird 4 ord 8 p2p crc");
    }

    @Test
    void noticesPrivateDataThatTheScriptDoesNotMention() {
        breakingText(TRUE.replace(" pd \"hi\"", ""), outputs -> outputs)
                .hasMessageContaining("script line 8:")
                .hasMessageContaining("pd: expected none, was \"hi\"");
    }

    @Test
    void noticesATimerThatIsLate() {
        breaking(each(output -> output instanceof Arm(TimerKey key, long atNs, long generation)
                        ? new Arm(key, atNs + 1, generation)
                        : output))
                .hasMessageContaining("script line 4: expected\n  > S.  0:0(0) ack 1\nbut nothing came");
    }

    @Test
    void noticesATimerThatIsEarly() {
        breaking(each(output -> output instanceof Arm(TimerKey key, long atNs, long generation)
                        ? new Arm(key, atNs - 1, generation)
                        : output))
                .hasMessageContaining("script line 4: nothing claims what came in line 4, before time moves on");
    }

    @Test
    void noticesAWrongState() {
        breakingText(TRUE.replace("MPAREQ_RCVD", "ESTABLISHED"), outputs -> outputs)
                .hasMessageContaining("script line 9: the state should be ESTABLISHED but is MPAREQ_RCVD");
    }

    @Test
    void noticesAWrongCount() {
        breakingText(TRUE.replace("count pkt_retrans 1", "count pkt_retrans 2"), outputs -> outputs)
                .hasMessageContaining("script line 5: pkt_retrans should be 2 but is 1");
    }

    @Test
    void noticesAWrongAnswer() {
        breakingText(TRUE.replace("accept qp 7", "accept qp 7 = reset"), outputs -> outputs)
                .hasMessageContaining(
                        "script line 10: the call should be answered with reset but was answered with ok");
    }

    @Test
    void noticesACallWithoutAnAnswer() {
        breaking(without(output -> output instanceof CmOutput.Answer))
                .hasMessageContaining("script line 10: an event that does not fit what the application was told");
    }

    @Test
    void noticesACallAnsweredTwice() {
        breaking(twice(output -> output instanceof CmOutput.Answer))
                .hasMessageContaining("script line 10: call 1 was answered a second time");
    }

    @Test
    void noticesThatSomethingHappensWhereAllShouldBeQuiet() {
        breakingText(TRUE.replace("+1000  >  S.  0:0(0) ack 1", "+1000 quiet"), outputs -> outputs)
                .hasMessageContaining("script line 4: nothing claims what came in line 4, before here");
    }

    @Test
    void noticesThatTheApplicationIsOwedItsLastEvent() {
        breaking(without(output -> output instanceof Notify(CmEvent.Closed _)))
                .hasMessageContaining("script line 14: the connection is CLOSED but the application is owed closed");
    }

    @Test
    void noticesAnEventThatDoesNotFit() {
        breaking(each(output -> output instanceof Notify(CmEvent.Established _)
                        ? new Notify(new CmEvent.Closed(Cause.RESET))
                        : output))
                .hasMessageContaining("script line 10: an event that does not fit");
    }

    @Test
    void noticesAConnectionThatShouldHaveEnded() {
        breakingText(TRUE.substring(0, TRUE.indexOf("ae close")) + "ends\n", outputs -> outputs)
                .hasMessageContaining("script line 14: the connection should have ended but is in OFFLOADED");
    }

    @Test
    void noticesAnAddressHandleThatIsNotGivenBack() {
        breaking(without(IS_FREE_AH))
                .hasMessageContaining("script line 14: the connection is CLOSED but still holds the address handle");
    }

    @Test
    void noticesWhatIsGivenBackTwice() {
        breaking(twice(IS_FREE_AH)).hasMessageContaining("script line 10: the address handle was given back twice");
    }

    @Test
    void noticesAPlaceInTheBacklogThatIsNotGivenBack() {
        breaking(without(
                        output -> output.equals(new ToNic(new NicCommand.MoveInBacklog(NicCommand.BacklogPlace.NONE)))))
                .hasMessageContaining(
                        "script line 14: the connection is CLOSED but still holds a place in the backlog");
    }

    @Test
    void noticesAUseOfThePortThatIsNotGivenBack() {
        breaking(each(output -> output instanceof ToNic(NicCommand.CreateAh _), new ToNic(new NicCommand.AddApbvt())))
                .hasMessageContaining("still holds a use of the local port (APBVT)");
    }

    @Test
    void noticesATimerThatIsArmedAtTheEnd() {
        breaking(each(
                        output -> output instanceof Notify(CmEvent.Closed _),
                        new Arm(TimerKey.DEADLINE, Long.MAX_VALUE, 9)))
                .hasMessageContaining(
                        "script line 14: the connection is CLOSED but still holds an armed timer: deadline");
    }

    @Test
    void noticesAQuadHashEntryThatTheEndOfTheScriptLeaves() {
        breakingText(
                        TRUE.substring(0, TRUE.indexOf("+50")),
                        without(output -> output instanceof ToNic(NicCommand.DeleteQuadHash _)))
                .hasMessageContaining("script line 9: the connection is CLOSED but still holds the quad hash entry");
    }

    @Test
    void noticesASegmentSentWithoutAnAddressHandle() {
        breaking(each(output -> output instanceof ToNic(NicCommand.AddQuadHash _), new ToNic(new NicCommand.FreeAh())))
                .hasMessageContaining("script line 2: a segment was sent without an address handle");
    }

    @Test
    void noticesASynSentBeforeSteeringStands() {
        breakingText(
                        "nic hold quad\n" + TRUE,
                        outputs ->
                                outputs.stream().anyMatch(output -> output instanceof ToNic(NicCommand.AddQuadHash _))
                                        ? List.of(outputs.getFirst(), new ToNic(new Transmit(anySyn())))
                                        : outputs)
                .hasMessageContaining("script line 3: a SYN was sent before steering could catch its answer");
    }

    @Test
    void noticesAMachineThatThrows() {
        breakingText(". connect\n", outputs -> outputs)
                .hasMessageContaining("script line 1: the machine threw")
                .hasMessageContaining("a toy does not connect");
    }

    @Test
    void noticesAConnectionThatIsNeverDone() {
        Machine deaf = new Machine() {
            private final Machine toy = new ToyMachine(outputs -> outputs);

            @Override
            public Move connect(ConnectSpec spec, long nowNs, CmParams params) {
                return toy.connect(spec, nowNs, params);
            }

            @Override
            public Move admit(AdmitSpec spec, long nowNs, CmParams params) {
                return toy.admit(spec, nowNs, params);
            }

            @Override
            public Move step(Object state, CmInput in, long nowNs, CmParams params) {
                return in instanceof CmInput.Shutdown
                        ? new Move(state, StateName.MPAREQ_RCVD, List.of())
                        : toy.step(state, in, nowNs, params);
            }
        };

        assertThatThrownBy(() -> Script.against(deaf).play(TRUE.substring(0, TRUE.indexOf("+50"))))
                .isInstanceOf(ScriptFailure.class)
                .hasMessageContaining("script line 9: after the script the connection was told to shut down,"
                        + " but it never ends: it stays MPAREQ_RCVD");
    }

    @Test
    void shutsDownWhatTheScriptLeavesOpen() {
        Script.against(new ToyMachine(outputs -> outputs)).play(TRUE.substring(0, TRUE.indexOf("+50")));
    }

    @Test
    void claimsAnAnswerThatComesLater() {
        Script.against(new ToyMachine(outputs -> outputs.stream()
                        .filter(output -> !(output instanceof CmOutput.Answer))
                        .flatMap(output -> output instanceof Notify(CmEvent.Established _)
                                ? List.of(new CmOutput.Answer(1, Cause.NONE), output).stream()
                                : List.of(output).stream())
                        .toList()))
                .play(TRUE.replace(".  accept qp 7\n", ".  accept qp 7 = pending\n")
                        .replace("+50", "nic hold qp\n+50")
                        .replace("!  established", "+2s nic release qp\n! answered ok\n!  established"));
    }

    @Test
    void countsLinesThroughAllParts() {
        String[] parts = TRUE.split("(?<=ack 1\n)", 2);

        Script.against(new ToyMachine(outputs -> outputs)).play(parts);
        assertThatThrownBy(() -> Script.against(new ToyMachine(outputs -> outputs))
                        .play(parts[0].stripTrailing(), parts[1].stripTrailing().replace("ends", "state SYN_SENT")))
                .hasMessageContaining("script line 17: the state should be SYN_SENT but is CLOSED");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> breaking(UnaryOperator<List<CmOutput>> spoil) {
        return breakingText(TRUE, spoil);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> breakingText(
            String text, UnaryOperator<List<CmOutput>> spoil) {
        return assertThatThrownBy(() -> Script.against(new ToyMachine(spoil)).play(text))
                .isInstanceOf(ScriptFailure.class);
    }

    private static UnaryOperator<List<CmOutput>> each(UnaryOperator<CmOutput> change) {
        return outputs -> outputs.stream().map(change).toList();
    }

    /** Puts {@code more} after each output that fits. */
    private static UnaryOperator<List<CmOutput>> each(Predicate<CmOutput> which, CmOutput more) {
        return outputs -> outputs.stream()
                .flatMap(output -> which.test(output) ? List.of(output, more).stream() : List.of(output).stream())
                .toList();
    }

    private static UnaryOperator<List<CmOutput>> without(Predicate<CmOutput> which) {
        return outputs -> outputs.stream().filter(which.negate()).toList();
    }

    private static UnaryOperator<List<CmOutput>> twice(Predicate<CmOutput> which) {
        return outputs -> outputs.stream()
                .flatMap(output -> which.test(output) ? List.of(output, output).stream() : List.of(output).stream())
                .toList();
    }

    private static Segment withAck(Segment segment, int more) {
        return new Segment(
                segment.seq(),
                segment.ack().plus(more),
                segment.flags(),
                segment.window(),
                segment.options(),
                segment.payload());
    }

    private static Segment anySyn() {
        return new Segment(new SeqNum(1), new SeqNum(1), Segment.SYN, 1, TcpOptions.NONE, Octets.EMPTY);
    }
}
