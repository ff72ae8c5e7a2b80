package io.iwcm.cm.script;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.CompletedSpec;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** One connection machine under virtual time: carries its outputs out, and keeps those that a script must claim. */
final class Stage {

    /** The rules of the play were broken, whatever the script expects. */
    static final class Broken extends RuntimeException {
        Broken(String message) {
            super(message);
        }
    }

    /**
     * Something that waits to be claimed.
     *
     * @param line of the script, during which it came
     */
    record Pending(Facts facts, int line) {}

    /** Ids of repeated calls lie beyond all others. */
    private static final long LATER_IDS = 1_000;

    private record Armed(long atNs, long generation) {}

    private final Machine machine;
    private final Settings settings = new Settings();
    private final FakeNic nic = new FakeNic();
    private final Map<TimerKey, Armed> timers = new EnumMap<>(TimerKey.class);
    private final Map<TimerKey, Long> lastGenerations = new EnumMap<>(TimerKey.class);
    private final Map<CmCounter, Integer> counters = new EnumMap<>(CmCounter.class);
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final List<String> trace = new ArrayList<>();

    private Optional<Machine.Move> node = Optional.empty();
    private ApplicationWatch watch = new ApplicationWatch(false);
    private Optional<SeqNum> ourIsn = Optional.empty();
    private Optional<SeqNum> isnAbove = Optional.empty();
    private SeqNum highestSent = new SeqNum(0);
    private long nowNs = Durations.SECOND;
    private long call;
    private boolean answering;
    private long answeringCall;
    private Optional<Cause> answer = Optional.empty();
    private int line;
    private boolean tearingDown;
    private final int failAfter;
    private int steps;
    private Optional<Object> checkpoint = Optional.empty();
    private final List<NicEvent> unacknowledged = new ArrayList<>();
    private final Map<Long, Statement.CallMaker> makers = new HashMap<>();
    private final Map<Long, Long> repeated = new HashMap<>();
    private final Map<Long, Cause> lostAnswers = new HashMap<>();

    /** @param failAfter the dispatcher fails after so many steps, and another goes on; 0: never */
    Stage(Machine machine, int failAfter) {
        this.machine = machine;
        this.failAfter = failAfter;
        settings.ourIsn(new SeqNum(1_000_000_000), nowNs);
    }

    Settings settings() {
        return settings;
    }

    FakeNic nic() {
        return nic;
    }

    List<String> trace() {
        return trace;
    }

    Deque<Pending> pending() {
        return pending;
    }

    long nowNs() {
        return nowNs;
    }

    Optional<Machine.Move> node() {
        return node;
    }

    boolean alive() {
        return node.isPresent() && node.get().name() != StateName.CLOSED;
    }

    int counter(CmCounter counter) {
        return counters.getOrDefault(counter, 0);
    }

    Bases bases() {
        return new Bases(ourIsn.orElseGet(() -> settings.ourIsn(nowNs)), settings.peerIsn);
    }

    CmParams params() {
        return settings.params();
    }

    /** Whose line is being played: outputs are marked with it. */
    void line(int number) {
        line = number;
    }

    void note(String what) {
        trace.add("%10.3f ms  %s".formatted((nowNs - Durations.SECOND) / (double) Durations.MS, what));
    }

    void connect(ConnectSpec spec) {
        isnAbove = Optional.empty();
        begin(true, () -> machine.connect(spec, nowNs, params()));
    }

    void admit(AdmitSpec spec) {
        isnAbove = spec.isnAbove();
        begin(false, () -> machine.admit(spec, nowNs, params()));
    }

    /** Our SYN-ACK was the NIC's, and its number is where ours count from. */
    void complete(CompletedSpec spec) {
        isnAbove = Optional.empty();
        begin(false, () -> {
            ourIsn = Optional.of(spec.said().ourIsn());
            highestSent = spec.said().ourIsn().plus(1);
            return machine.complete(spec, nowNs, params());
        });
    }

    /** Gives the machine an input, then whatever the NIC answers to what came of it. */
    void feed(CmInput input) {
        Machine.Move node = this.node.orElseThrow(() -> new Broken("there is no connection yet"));
        if (input instanceof CmInput.ApplicationGone) {
            watch.isGone();
        }
        if (input instanceof CmInput.FromNic(NicEvent.Superseded _)) {
            watch.isSuperseded();
        }
        follow(() -> machine.step(node.state(), input, nowNs, params()));
        hearNic();
    }

    /** Makes an application call; what it was answered with at once. */
    Optional<Cause> call(Statement.CallMaker maker) {
        long id = ++call;
        CmInput input = maker.withId(id);
        watch.calls(id, input);
        makers.put(id, maker);
        answering = true;
        answeringCall = id;
        answer = Optional.empty();
        try {
            feed(input);
            return answer;
        } finally {
            answering = false;
        }
    }

    /** Lets the NIC say what it has to say; without a connection nobody hears it. */
    void hearNic() {
        for (Optional<NicEvent> event = nic.nextEvent(); event.isPresent(); event = nic.nextEvent()) {
            note("nic says " + event.get());
            unacknowledged.add(event.get());
            if (alive()) {
                feed(new CmInput.FromNic(event.get()));
            }
        }
    }

    /** A tick of a generation that is not armed. */
    void staleTick(TimerKey key) {
        long generation = lastGenerations.getOrDefault(key, 0L) - (timers.containsKey(key) ? 1 : 0);
        feed(new CmInput.TimerTick(key, generation));
    }

    /** When the next timer is due. */
    Optional<Long> nextTimerNs() {
        return timers.values().stream().map(Armed::atNs).min(Comparator.naturalOrder());
    }

    void moveTo(long atNs) {
        nowNs = atNs;
    }

    /** Fires the timer that is due now. */
    void fire() {
        TimerKey key = timers.entrySet().stream()
                .min(Comparator.comparing(entry -> entry.getValue().atNs))
                .orElseThrow()
                .getKey();
        Armed armed = timers.remove(key);
        note("tick " + Words.kebab(key));
        feed(new CmInput.TimerTick(key, armed.generation));
    }

    /** From here on nothing has to be claimed. */
    void tearDown() {
        tearingDown = true;
    }

    private void begin(boolean active, Supplier<Machine.Move> first) {
        if (alive()) {
            throw new Broken("there is a connection already");
        }
        nic.reset();
        timers.clear();
        unacknowledged.clear();
        node = Optional.empty();
        ourIsn = Optional.empty();
        watch = new ApplicationWatch(active);
        nic.mtu(settings.mtu());
        follow(first);
        hearNic();
    }

    private void follow(Supplier<Machine.Move> doing) {
        Machine.Move step = doing.get();
        Optional<Machine.Move> before = node;
        node = Optional.of(step);
        for (CmOutput output : step.outputs()) {
            carryOut(output);
        }
        if (!before.map(Machine.Move::name).equals(Optional.of(step.name()))) {
            note("state " + step.name());
        }
        commit(before, step);
        if (!alive()) {
            requireNothingHeld();
        }
        steps++;
        if (steps == failAfter && alive() && step.state() instanceof CmState state && state.hasFlow()) {
            goOnElsewhere();
        }
    }

    int steps() {
        return steps;
    }

    /** As a node does: whatever changed or came out goes to the NIC, with what has been heard so far. */
    private void commit(Optional<Machine.Move> before, Machine.Move step) {
        boolean changed = before.filter(was -> was.state().equals(step.state())).isEmpty();
        boolean committing = step.outputs().stream().anyMatch(output -> !(output instanceof CmOutput.Disarm));
        if (changed || committing) {
            checkpoint = Optional.of(step.state());
            unacknowledged.clear();
        }
    }

    /** The dispatcher fails: timers, calls and what was not committed are lost, and another goes on from what the NIC kept. */
    private void goOnElsewhere() {
        note("--- the dispatcher fails and another goes on");
        timers.clear();
        Map<Long, CmInput> lost = watch.takeUnanswered();
        lost.keySet().forEach(id -> repeated.put(id, ++call + LATER_IDS));
        List<NicEvent> events = new ArrayList<>(unacknowledged);
        nic.nextEvents().forEach(events::add);
        Object kept = checkpoint.orElseThrow();
        node = Optional.of(new Machine.Move(kept, ((CmState) kept).name(), List.of()));
        for (NicEvent event : events) {
            if (alive()) {
                unacknowledged.add(event);
                Object state = node.get().state();
                follow(() -> machine.step(state, new CmInput.FromNic(event), nowNs, params()));
            }
        }
        if (alive()) {
            Object state = node.get().state();
            follow(() -> machine.adopt(state, nowNs, params()));
        }
        for (Map.Entry<Long, CmInput> made : lost.entrySet()) {
            long id = made.getKey();
            watch.calls(alive() ? repeated.get(id) : id, made.getValue());
            if (alive()) {
                feed(makers.get(id).withId(repeated.get(id)));
            } else { // The NIC will say that there is no such flow; what was lost says why.
                repeated.remove(id);
                answer(id, Optional.ofNullable(lostAnswers.remove(id)).orElse(Cause.RESET));
            }
        }
    }

    private void carryOut(CmOutput output) {
        boolean newIsn = rebase(output);
        note("   " + OutputText.describe(output, bases(), nowNs));
        if (!tearingDown) {
            OutputText.claimable(output, bases(), newIsn).ifPresent(facts -> pending.add(new Pending(facts, line)));
        }
        switch (output) {
            case CmOutput.ToNic(var command) -> nic.carryOut(command);
            case CmOutput.Arm(var key, long atNs, long generation) -> {
                timers.put(key, new Armed(atNs, generation));
                lastGenerations.put(key, generation);
            }
            case CmOutput.Disarm(var key) -> timers.remove(key);
            case CmOutput.Notify(var event) -> watch.told(event).ifPresent(Stage::broken);
            case CmOutput.Answer(long id, Cause cause) -> answer(id, cause);
            case CmOutput.Count(var counter) -> counters.merge(counter, 1, Integer::sum);
        }
    }

    private void answer(long id, Cause cause) {
        if (repeated.containsKey(id)) {
            watch.lostAnswer(cause);
            lostAnswers.put(id, cause);
            return;
        }
        watch.answered(id, cause).ifPresent(Stage::broken);
        boolean ours = id == answeringCall || Long.valueOf(id).equals(repeated.get(answeringCall));
        if (answering && ours) {
            answer = Optional.of(cause);
        } else if (!tearingDown) {
            pending.add(new Pending(Facts.of("answered", "cause", EventText.causeText(cause)), line));
        }
    }

    /** The first SYN fixes where our numbers count from; a later one with another number is a new ISN. */
    private boolean rebase(CmOutput output) {
        if (!(output instanceof CmOutput.ToNic(NicCommand.Transmit(Segment segment)))) {
            return false;
        }
        boolean first = ourIsn.isEmpty();
        boolean newIsn = segment.syn() && !first && !ourIsn.get().equals(segment.seq());
        boolean tooLow = newIsn && segment.seq().before(highestSent)
                || first && isnAbove.filter(last -> !segment.seq().after(last)).isPresent();
        if (tooLow) {
            throw new Broken("the new ISN lies before numbers that were used already");
        }
        if (segment.syn()) {
            ourIsn = Optional.of(segment.seq());
        }
        boolean higher =
                !segment.rst() && segment.end().after(highestSent); // A reset may carry a number of the peer's.
        if ((segment.syn() && (first || newIsn)) || higher) {
            highestSent = segment.end();
        }
        return newIsn;
    }

    private void requireNothingHeld() {
        List<String> held = new ArrayList<>(watch.superseded() ? List.of() : nic.held());
        timers.keySet().forEach(key -> held.add("an armed timer: " + Words.kebab(key)));
        if (!held.isEmpty()) {
            throw new Broken("the connection is CLOSED but still holds " + String.join(", ", held));
        }
        List<String> owed = watch.owed();
        if (!owed.isEmpty()) {
            throw new Broken("the connection is CLOSED but the application is owed " + String.join(", ", owed));
        }
    }

    private static void broken(String message) {
        throw new Broken(message);
    }
}
