package io.iwcm.cm.script;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What one script line says, without its time. */
sealed interface Statement {

    /**
     * A line of a script.
     *
     * @param number from 1
     * @param advanceNs how much later than the line before
     */
    record Line(int number, long advanceNs, Statement statement) {}

    /** {@code <} */
    record PeerSends(SegmentText segment) implements Statement {}

    /** {@code >} and {@code !} */
    record Expect(Expectation expectation) implements Statement {}

    /**
     * {@code . accept ..} and the other calls that are answered.
     *
     * @param make the input, given the id of the call
     * @param answer what it must be answered with at once; empty: not at once
     */
    record Call(CallMaker make, Optional<Cause> answer) implements Statement {}

    /** An application call in the making. */
    @FunctionalInterface
    interface CallMaker {
        CmInput withId(long call);
    }

    /** {@code . connect ..} */
    record Connect(QpId qp, Initiator.Wish wish, boolean fallBack, Optional<Duration> synTimeout)
            implements Statement {}

    /** {@code . listen PORT} */
    record Listen(int port, int backlog, boolean cookies) implements Statement {}

    /** {@code . listener-gone} */
    record ListenerGone() implements Statement {}

    /** {@code . application-gone}, {@code . address-down}, {@code . shutdown} */
    record Happens(CmInput input) implements Statement {}

    /** {@code . stale-tick TIMER}: a tick with a generation that is not armed. */
    record StaleTick(TimerKey key) implements Statement {}

    /** {@code ae ..} */
    record Reports(AsyncEvent event) implements Statement {}

    /** {@code icmp ..} */
    record IcmpSays(Function<Bases, NicEvent> error) implements Statement {}

    /** {@code nic ..} */
    record NicOrder(Consumer<FakeNic> order) implements Statement {}

    /** {@code ~} */
    record Set(SettingText.Change change) implements Statement {}

    /** {@code state NAME} */
    record StateIs(StateName name) implements Statement {}

    /** {@code ends} */
    record Ends() implements Statement {}

    /** {@code quiet}, and a line with nothing but a time. */
    record Quiet() implements Statement {}

    /** {@code holds nothing} */
    record HoldsNothing() implements Statement {}

    /** {@code count NAME N} */
    record CountIs(CmCounter counter, int value) implements Statement {}
}
