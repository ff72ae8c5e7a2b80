package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmMachine;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.LeakFree;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Both ends of many connections in one NIC, in virtual time, over a device that delays, reorders and fails its commands: real
 * machines and a real RNIC, driven as the actors do it.
 */
final class DeviceSimulation implements Rnic.Output {

    private static final long MS = 1_000_000;
    private static final Owner OWNER = new Owner(1);
    private static final NicCommand.ListenKey LISTENER = Flows.listen("10.0.0.1:4420", 0);

    /** How a connect was answered, and how often. */
    final Map<Long, List<Cause>> outcomes = new TreeMap<>();

    int stood;
    private final Random random;
    private final FakeDevice device = new FakeDevice();
    private final SoftRnic rnic;
    private final LeakFree leaks;
    private final CmParams params;
    private final Map<FlowKey, Node> nodes = new HashMap<>();
    private final ArrayDeque<Runnable> deliveries = new ArrayDeque<>();
    private final Map<Long, Consumer<NicControl.Answer>> orders = new HashMap<>();
    private final PriorityQueue<Due> agenda =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNs).thenComparingLong(Due::order));
    private long nowNs = 1_000_000_000L;
    private long last;

    private record Due(long atNs, long order, Runnable what) {}

    private static final class Node {
        private final FlowKey flow;
        private final Optional<Long> attempt;
        private final List<QpId> qps = new ArrayList<>();
        private CmState state;
        private long epoch;
        private long lastRequest;
        private long seen;
        private boolean ended;
        private int ends;

        Node(FlowKey flow, Optional<Long> attempt, CmState state) {
            this.flow = flow;
            this.attempt = attempt;
            this.state = state;
        }
    }

    DeviceSimulation(long seed, int faultsInHundred) {
        random = new Random(seed);
        rnic = new SoftRnic(
                RnicRig.quiet("10.0.0.1/24", "10.0.0.3/24"),
                new SipHash(seed, 1),
                new RnicConfig.Cookies(RnicConfig.CookieMode.OFF, 1_000 * MS, 0),
                random::nextLong,
                nowNs,
                device);
        leaks = LeakFree.since(this::census);
        params = TestParams.ordinary((_, _) -> new SeqNum(random.nextInt()));
        order(id -> new NicControl.Attach(id, OWNER), _ -> {});
        order(
                id -> new NicControl.Listen(id, LISTENER, 16, 16, SynOffer.DEFAULT),
                answer -> assertThat(answer).isInstanceOf(NicControl.Done.class));
        device.chaos(random, 300 * MS, faultsInHundred);
    }

    /** Connects so often within two minutes, lets all come to its end, and looks whether everything is given back. */
    void run(int connects) {
        for (int i = 0; i < connects; i++) {
            long attempt = i;
            after(random.nextLong(120_000) * MS, () -> connect(attempt));
        }
        runFor(400_000 * MS);
        device.behave();
        order(id -> new NicControl.Unlisten(id, LISTENER), _ -> {});
        List.copyOf(nodes.values()).forEach(node -> step(node, new CmInput.Shutdown()));
        runFor(400_000 * MS);

        assertThat(outcomes).hasSize(connects);
        assertThat(outcomes.values()).as("exactly one outcome each").allMatch(causes -> causes.size() == 1);
        assertThat(device.violations()).isEmpty();
        assertThat(device.entries()).isEmpty();
        leaks.check();
    }

    private Map<String, Integer> census() {
        Map<String, Integer> counts = LeakFree.census(rnic.snapshot().held());
        counts.put("nodes", nodes.size());
        return counts;
    }

    private void connect(long attempt) {
        order(id -> new NicControl.OpenFlow(id, OWNER, Flows.end("10.0.0.3:0"), LISTENER.local(), 0), answer -> {
            if (!(answer instanceof NicControl.FlowOpened(long _, FlowKey flow, boolean _))) {
                outcome(attempt, Cause.RESOURCES);
                return;
            }
            createQp(qp -> {
                ConnectSpec spec = new ConnectSpec(
                        flow,
                        qp,
                        NicCommand.Path.DEFAULT,
                        new Initiator.Wish(2, new ReadDepths(4, 4), random.nextBoolean(), Octets.EMPTY),
                        random.nextBoolean(),
                        Optional.empty());
                Step first = CmMachine.connect(spec, nowNs, params);
                Node node = new Node(flow, Optional.of(attempt), first.next());
                node.qps.add(qp);
                begin(node, first);
                if (random.nextInt(6) == 0) later(4_000, node, id -> new CmInput.Abort(id));
            });
        });
    }

    private void outcome(long attempt, Cause cause) {
        outcomes.computeIfAbsent(attempt, _ -> new ArrayList<>()).add(cause);
    }

    private void begin(Node node, Step first) {
        assertThat(nodes.put(node.flow, node)).as("no two of one flow").isNull();
        take(node, first);
    }

    private void step(Node node, CmInput input) {
        if (!node.ended) {
            take(node, CmMachine.step(node.state, input, nowNs, params));
        }
    }

    private void take(Node node, Step step) {
        node.state = step.next();
        List<NicCommand> commands = new ArrayList<>();
        for (CmOutput output : step.outputs()) {
            if (output instanceof CmOutput.ToNic(NicCommand command)) commands.add(command);
        }
        if (!commands.isEmpty() || node.state.name() == StateName.CLOSED) {
            NicRequest request =
                    new NicRequest(node.flow, node.epoch, ++node.lastRequest, node.seen, commands, Optional.empty());
            rnic.request(OWNER, request, nowNs, this);
        }
        for (CmOutput output : step.outputs()) {
            switch (output) {
                case CmOutput.Arm(var key, long atNs, long generation) ->
                    after(atNs - nowNs, () -> step(node, new CmInput.TimerTick(key, generation)));
                case CmOutput.Notify(var event) -> hear(node, event);
                case CmOutput.ToNic _, CmOutput.Disarm _, CmOutput.Answer _, CmOutput.Count _ -> {}
            }
        }
        if (node.state.name() == StateName.CLOSED && !node.ended) {
            node.ended = true;
            nodes.remove(node.flow, node);
            node.qps.forEach(qp -> order(id -> new NicControl.DestroyQp(id, qp), _ -> {}));
        }
    }

    /** The application: it answers in its own time, closes or aborts some day, and sometimes says nothing. */
    private void hear(Node node, CmEvent event) {
        switch (event) {
            case CmEvent.ConnectRequest _ -> {
                if (random.nextInt(8) == 0) later(2_000, node, id -> new CmInput.Reject(id, Octets.EMPTY));
                else
                    createQp(qp -> {
                        node.qps.add(qp);
                        later(1_000, node, id -> new CmInput.Accept(id, qp, Optional.empty(), Octets.EMPTY));
                    });
            }
            case CmEvent.ConnectReply(var cause, var _, var _, var _) -> {
                outcome(node.attempt.orElseThrow(), cause);
                if (cause == Cause.NONE) stands(node);
            }
            case CmEvent.Established _ -> stands(node);
            case CmEvent.Closed _ -> assertThat(++node.ends).as("told once").isEqualTo(1);
            case CmEvent.AcceptFailed _, CmEvent.Disconnected _ -> {}
        }
    }

    private void stands(Node node) {
        stood++;
        later(20_000, node, random.nextBoolean() ? CmInput.Disconnect::new : CmInput.Abort::new);
    }

    private interface Call {
        CmInput of(long id);
    }

    private void later(int withinMs, Node node, Call call) {
        after(random.nextLong(withinMs) * MS, () -> step(node, call.of(++last)));
    }

    private void createQp(Consumer<QpId> then) {
        order(
                id -> new NicControl.CreateQp(id, Optional.of(OWNER)),
                answer -> then.accept(((NicControl.QpCreated) answer).qp()));
    }

    private void order(java.util.function.LongFunction<NicControl> order, Consumer<NicControl.Answer> then) {
        long id = ++last;
        orders.put(id, then);
        rnic.control(order.apply(id), nowNs, this);
    }

    private void after(long delayNs, Runnable what) {
        agenda.add(new Due(nowNs + Math.max(0, delayNs), ++last, what));
    }

    private void runFor(long ns) {
        long untilNs = nowNs + ns;
        deliver();
        while (true) {
            long nicNs = rnic.nextDeadlineNs();
            long nextNs = Math.min(
                    nicNs, agenda.isEmpty() ? Long.MAX_VALUE : agenda.element().atNs());
            if (nextNs > untilNs) break;
            nowNs = Math.max(nowNs, nextNs);
            if (nicNs <= nowNs) rnic.tick(nowNs, this);
            else agenda.remove().what().run();
            deliver();
        }
        nowNs = untilNs;
    }

    private void deliver() {
        for (Runnable next = deliveries.poll(); next != null; next = deliveries.poll()) next.run();
    }

    @Override
    public void transmit(byte[] frame) {
        rnic.transmitted(1);
    }

    @Override
    public void deliver(Owner to, Rnic.Delivery delivery) {
        throw new AssertionError("nobody has gone: " + delivery);
    }

    @Override
    public void ilq(Owner to, Rnic.IlqEntry entry) {
        deliveries.add(() -> {
            FlowKey flow = entry.frame().addressing().flow();
            Node node = nodes.get(flow);
            if (node != null) {
                step(node, new CmInput.Arrived(entry.frame().segment()));
            } else if (entry.listener().isPresent()) {
                AdmitSpec spec = new AdmitSpec(
                        flow,
                        entry.frame().segment(),
                        entry.listener().get(),
                        NicCommand.Path.DEFAULT,
                        entry.isnAbove());
                Step first = CmMachine.admit(spec, nowNs, params);
                begin(new Node(flow, Optional.empty(), first.next()), first);
            }
        });
    }

    @Override
    public void event(Owner to, Rnic.FlowEvent event) {
        deliveries.add(() -> {
            Node node = nodes.get(event.flow());
            if (node != null && event.epoch() >= node.epoch) {
                node.epoch = event.epoch();
                node.seen = Math.max(node.seen, event.number());
                step(node, new CmInput.FromNic(event.event()));
            }
        });
    }

    @Override
    public void answer(NicControl.Answer answer) {
        Consumer<NicControl.Answer> then = orders.remove(answer.id());
        assertThat(then).as("an order is answered once").isNotNull();
        deliveries.add(() -> then.accept(answer));
    }
}
