package io.iwcm.cm.actor;

import io.iwcm.cm.actor.NodeCheckpoint.Told;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmMachine;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.CompletedSpec;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: runs the machine on whatever is told and carries its outputs out. It decides nothing.
 *
 * <p>All it orders from the NIC in one step travels as one request, with the state after that step as checkpoint, before
 * anybody else hears of the step. When its code throws it is stopped, and that is one more input: the flow is unsteered, the
 * peer reset, the application told. When it is stopped because its bucket fails it says nothing: the NIC has another bucket
 * adopt the flow, and a node there goes on from the checkpoint. When it has ended it says so to its bucket and goes on answering until the bucket, which
 * sends it no more, releases it.
 */
final class CmNode extends ExtensibleBehavior<CmNode.Command> {

    /** What a node can be told, by its bucket alone. */
    sealed interface Command {}

    record Arrived(Segment segment) implements Command {}

    /** @param number see {@link io.iwcm.nic.spi.Rnic.FlowEvent#number()} */
    record FromNic(long epoch, long number, NicEvent event) implements Command {}

    /**
     * An application's call, as an input once it has an id here.
     *
     * @param madeQp a queue pair that was made for this call and ends with the connection, or with the call if that fails
     * @param otherwise what is called for instead when it fails; that is answered then
     */
    record Called(
            LongFunction<CmInput> input,
            Optional<QpId> madeQp,
            ActorRef<Cause> replyTo,
            Optional<LongFunction<CmInput>> otherwise)
            implements Command {

        Called(LongFunction<CmInput> input, Optional<QpId> madeQp, ActorRef<Cause> replyTo) {
            this(input, madeQp, replyTo, Optional.empty());
        }
    }

    /** Something that is an input as it is. */
    record Happened(CmInput input) implements Command {}

    /** The bucket has forgotten it. */
    enum Released implements Command {
        INSTANCE
    }

    private record TimerFired(TimerKey key, long generation) implements Command {}

    private static final Logger LOG = LoggerFactory.getLogger(CmNode.class);

    private final NodeHome home;
    private final NodeRecord record;
    private final ActorRef<Command> self;
    private final TimerScheduler<Command> timers;
    private final Map<Long, Called> calls = new HashMap<>(4);
    private final List<QpId> madeQps = new ArrayList<>(1);
    private Optional<CmState> state = Optional.empty();
    private long epoch;
    private long seen;
    private long lastRequestId;
    private long lastCallId;
    private Told told = Told.NOTHING;
    private long lastNotice;
    private boolean failing;
    private boolean ended;

    private CmNode(NodeHome home, NodeRecord record, ActorRef<Command> self, TimerScheduler<Command> timers) {
        this.home = home;
        this.record = record;
        this.self = self;
        this.timers = timers;
    }

    /** @param madeQp whether the spec's queue pair was made for this connection and ends with it */
    static Behavior<Command> active(NodeHome home, NodeRecord record, ConnectSpec spec, boolean madeQp) {
        return beginning(home, record, false, (node, nowNs) -> {
            if (madeQp) node.madeQps.add(spec.qp());
            return CmMachine.connect(spec, nowNs, home.params());
        });
    }

    static Behavior<Command> passive(NodeHome home, NodeRecord record, AdmitSpec spec) {
        return beginning(home, record, false, (_, nowNs) -> CmMachine.admit(spec, nowNs, home.params()));
    }

    /** Goes on with what another node has left. */
    static Behavior<Command> adopted(
            NodeHome home, NodeRecord record, NodeCheckpoint left, long epoch, List<Rnic.FlowEvent> events) {
        return beginning(home, record, true, (node, nowNs) -> {
            node.state = Optional.of(left.state());
            node.epoch = epoch;
            node.told = left.told();
            node.lastNotice = left.told().notices();
            node.lastCallId = left.lastCallId();
            node.madeQps.addAll(left.queuePairs());
            if (node.hasBeenTold()) {
                home.announce(record.consumer().telling(new CmNotice.Moved(record.connection())));
            }
            for (Rnic.FlowEvent event : events) {
                if (!node.ended) node.hear(epoch, event.number(), event.event());
            }
            return CmMachine.adopt(node.state.orElseThrow(), nowNs, home.params());
        });
    }

    static Behavior<Command> completed(NodeHome home, NodeRecord record, CompletedSpec spec) {
        return beginning(home, record, false, (_, nowNs) -> CmMachine.complete(spec, nowNs, home.params()));
    }

    private interface Beginning {
        Step step(CmNode node, long nowNs);
    }

    private static Behavior<Command> beginning(
            NodeHome home, NodeRecord record, boolean adopting, Beginning beginning) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            CmNode node = new CmNode(home, record, context.getSelf(), timers);
            try {
                long nowNs = home.clock().nowNs();
                Step first = beginning.step(node, nowNs);
                if (!node.ended) node.take(first, nowNs);
                if (node.observed() && !adopting)
                    node.report(() -> home.observer().began(record.connection(), first, nowNs));
            } catch (RuntimeException e) {
                LOG.error("{} failed at its beginning", record.connection(), e);
                home.observer().actors(ActorKind.NODE).failed();
                node.endByFailure();
                return Behaviors.stopped();
            }
            return node;
        }));
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> context, Command command) {
        try {
            return receive(command);
        } catch (RuntimeException e) {
            LOG.error("{} failed on {}", record.connection(), command, e);
            home.observer().actors(ActorKind.NODE).failed();
            if (!ended) endByFailure();
            return Behaviors.stopped();
        }
    }

    private Behavior<Command> receive(Command command) {
        switch (command) {
            case Arrived(var segment) -> step(new CmInput.Arrived(segment));
            case FromNic(long eventEpoch, long number, var event) -> hear(eventEpoch, number, event);
            case Called called -> {
                calls.put(++lastCallId, called);
                step(called.input().apply(lastCallId));
            }
            case TimerFired(var key, long generation) -> step(new CmInput.TimerTick(key, generation));
            case Happened(var input) -> step(input);
            case Released _ -> {
                return Behaviors.stopped();
            }
        }
        return this;
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> context, Signal signal) {
        // Its bucket has failed, or all is going: another bucket adopts the flow, if there is a flow and another
        // bucket.
        if (signal instanceof PostStop && !ended && !record.hasFlow()) endByFailure();
        return this;
    }

    private void hear(long eventEpoch, long number, NicEvent event) {
        if (eventEpoch < epoch) return; // Of an entry that this connection's own has replaced.
        if (number > 0 && number <= seen) return; // Heard before the flow was adopted.
        epoch = eventEpoch;
        seen = Math.max(seen, number);
        step(new CmInput.FromNic(event));
    }

    private void step(CmInput input) {
        CmState from = state.orElseThrow();
        long nowNs = home.clock().nowNs();
        Step step = CmMachine.step(from, input, nowNs, home.params());
        take(step, nowNs);
        if (observed()) report(() -> home.observer().stepped(record.connection(), from.name(), input, step, nowNs));
    }

    private void take(Step step, long nowNs) {
        boolean changed = !state.equals(Optional.of(step.next()));
        state = Optional.of(step.next());
        record.state(step.next().name());
        boolean givesFlowBack = record.hasFlow() && !step.next().hasFlow();
        if (givesFlowBack) record.flowGivenBack(); // Before the NIC can give the flow to another connection.
        count(step);
        order(step, changed, givesFlowBack);
        for (CmOutput output : step.outputs()) carryOut(output, nowNs);
        if (step.next().name() == StateName.CLOSED && !ended) end();
        else if (givesFlowBack) home.bucket().tell(new IlqDispatcher.FlowGivenBack(record, self));
    }

    /** Before anything of the step can be seen: who has seen it finds it counted. */
    private void count(Step step) {
        for (CmOutput output : step.outputs()) {
            if (output instanceof CmOutput.Count(var counter)) home.counters().count(counter);
        }
    }

    /**
     * One request for all that the step orders; also for a checkpoint alone, before anybody is told anything and whenever
     * there is something else to go on from, and to acknowledge what led to the flow's end.
     */
    private void order(Step step, boolean changed, boolean givesFlowBack) {
        List<NicCommand> commands = new ArrayList<>(4);
        boolean committing = changed;
        for (CmOutput output : step.outputs()) {
            switch (output) {
                case CmOutput.ToNic(var command) -> commands.add(command);
                case CmOutput.Notify(var event) -> {
                    committing = true;
                    remember(event);
                }
                case CmOutput.Arm _, CmOutput.Answer _, CmOutput.Count _ -> committing = true; // Nothing counts twice.
                case CmOutput.Disarm _ -> {}
            }
        }
        boolean hasFlow = step.next().hasFlow();
        if (commands.isEmpty() && !givesFlowBack && (!hasFlow || !committing)) return;
        request(commands, hasFlow ? Optional.of(checkpoint(step.next())) : Optional.empty());
    }

    private Checkpoint checkpoint(CmState next) {
        List<QpId> queuePairs = new ArrayList<>(madeQps);
        calls.values().forEach(call -> call.madeQp().ifPresent(queuePairs::add));
        return new NodeCheckpoint(record, next, told, lastCallId, queuePairs);
    }

    /** What the application is about to be told. */
    private void remember(CmEvent event) {
        long notices = told.notices() + 1;
        told = switch (event) {
            case CmEvent.ConnectReply(var outcome, var _, var _, var _) ->
                new Told(notices, true, outcome == Cause.NONE);
            case CmEvent.Established _ -> new Told(notices, told.replied(), true);
            case CmEvent.Closed _ -> new Told(notices, told.replied(), false);
            case CmEvent.ConnectRequest _, CmEvent.AcceptFailed _, CmEvent.Disconnected _ ->
                new Told(notices, told.replied(), told.stands());
        };
    }

    private void request(List<NicCommand> commands, Optional<Checkpoint> checkpoint) {
        NicRequest request =
                new NicRequest(record.connection().flow(), epoch, ++lastRequestId, seen, commands, checkpoint);
        home.bridge().tell(new Bridge.Request(home.owner(), request));
    }

    private void carryOut(CmOutput output, long nowNs) {
        switch (output) {
            case CmOutput.ToNic _ -> {} // Already ordered.
            case CmOutput.Arm(var key, long atNs, long generation) ->
                timers.startSingleTimer(
                        key, new TimerFired(key, generation), Duration.ofNanos(Math.max(0, atNs - nowNs)));
            case CmOutput.Disarm(var key) -> timers.cancel(key);
            case CmOutput.Notify(var event) -> tellConsumer(event, nowNs);
            case CmOutput.Answer(long call, var cause) -> answer(call, cause);
            case CmOutput.Count _ -> {} // Already counted.
        }
    }

    private void tellConsumer(CmEvent event, long nowNs) {
        if (observed()) report(() -> home.observer().notified(record.connection(), event, nowNs));
        try {
            home.announce(record.consumer().telling(new CmNotice.Event(record.connection(), ++lastNotice, event)));
        } catch (RuntimeException e) {
            if (!failing) {
                home.counters().count(CmCounter.CONSUMER_FAILURES);
                throw e;
            } // The second time there is nobody left to tell.
            LOG.warn("the consumer of {} failed", record.connection(), e);
        }
    }

    private void answer(long call, Cause cause) {
        Called pending = calls.remove(call);
        if (pending == null) return;
        pending.madeQp.ifPresent(qp -> {
            if (cause == Cause.NONE && has(qp)) madeQps.add(qp);
            else home.destroy(qp);
        });
        if (cause != Cause.NONE && pending.otherwise.isPresent()) {
            self.tell(new Called(pending.otherwise.get(), Optional.empty(), pending.replyTo));
        } else {
            home.announce(new Announcement<>(pending.replyTo, cause));
        }
    }

    /** Whether its application knows of it. */
    private boolean hasBeenTold() {
        return told.notices() > 0 || record.connection().role() == Role.ACTIVE;
    }

    /** An accept that was repeated has brought a queue pair along that is not needed. */
    private boolean has(QpId qp) {
        return state.filter(now -> now instanceof CmState.Offloaded offloaded
                        && offloaded.qp().equals(qp))
                .isPresent();
    }

    private void end() {
        ended = true;
        timers.cancelAll();
        for (Long call : List.copyOf(calls.keySet())) answer(call, Cause.SHUTDOWN);
        madeQps.forEach(home::destroy);
        madeQps.clear();
        if (hasBeenTold()) record.consumer().over(record.connection()).ifPresent(home::announce);
        home.bucket().tell(new IlqDispatcher.NodeEnded(record, self, !failing));
    }

    /** The code threw: one more input, and if even that throws, the least that gives all back. */
    private void endByFailure() {
        failing = true;
        try {
            if (state.isPresent()) step(new CmInput.Shutdown());
        } catch (RuntimeException e) {
            LOG.error("{} failed again while it was taken down", record.connection(), e);
        }
        if (ended) return;
        record.state(StateName.CLOSED);
        if (state.isPresent()) home.counters().count(CmCounter.NODES_DESTROYED);
        request(
                List.of(new NicCommand.DeleteApbvt(), new NicCommand.DeleteQuadHash(), new NicCommand.FreeAh()),
                Optional.empty());
        long nowNs = home.clock().nowNs();
        if (told.stands()) {
            tellConsumer(new CmEvent.Closed(Cause.SHUTDOWN), nowNs);
        } else if (record.connection().role() == Role.ACTIVE && !told.replied()) {
            tellConsumer(
                    new CmEvent.ConnectReply(Cause.SHUTDOWN, new ReadDepths(0, 0), PeerDepths.NONE, Octets.EMPTY),
                    nowNs);
        }
        end();
    }

    private boolean observed() {
        return home.observer() != CmObserver.NONE;
    }

    private void report(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException e) {
            LOG.warn("an observer failed", e);
        }
    }
}
