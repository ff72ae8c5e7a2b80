package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.Flows.listen;
import static io.iwcm.nic.testkit.Flows.mac;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Dispatchers that lose their minds and a peer that has none, on small tables: nothing throws, no frame goes nowhere (the rig
 * looks), nobody is told about a flow who is not there, and when all have gone everything is given back.
 * {@code -Drnic.seed=N} replays one.
 */
class RandomOrdersTest {

    private static final int STEPS = 1_200;
    private static final String[] FLAGS = {"S", "SA", "A", "PA", "FA", "R", "RA", "F"};

    /** What has its own tests and is not provoked here. */
    private static final Set<NicCounter> ELSEWHERE = EnumSet.of(
            NicCounter.BUF_ALLOC_FAIL,
            NicCounter.REGIONS_REFUSED,
            NicCounter.QUEUES_REFUSED,
            NicCounter.DEVICE_FAILURES,
            NicCounter.DEVICE_STRAYS,
            NicCounter.QUAD_RETRIES,
            NicCounter.RESETS_LIMITED,
            NicCounter.ECHOES_ANSWERED,
            NicCounter.ECHOES_LIMITED,
            NicCounter.ICMP_ERRORS,
            NicCounter.ICMP_LIMITED,
            NicCounter.ICMP_ABOUT_QP,
            NicCounter.ND_ANSWERED,
            NicCounter.ANNOUNCEMENTS,
            NicCounter.NEIGHBOUR_BAD_MAC,
            NicCounter.PORTS_EXHAUSTED,
            NicCounter.COOKIES_ACCEPTED,
            NicCounter.COOKIES_BAD,
            NicCounter.COOKIES_STALE,
            NicCounter.COOKIES_LIMITED,
            NicCounter.TIME_WAIT_EVICTIONS);

    static long[] seeds() {
        Long one = Long.getLong("rnic.seed");
        return one != null ? new long[] {one} : usual();
    }

    private static long[] usual() {
        return new Random(2026).longs(16).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everythingIsGivenBackWhateverWasOrdered(long seed) {
        new Run(seed).run();
    }

    /** What the runs above reach between them, so that they are not about nothing. */
    @Test
    void theRunsReachEveryCorner() {
        Map<NicCounter, Long> sum = new EnumMap<>(NicCounter.class);
        for (long seed : usual()) {
            Run run = new Run(seed);
            run.run();
            run.rig.rnic().snapshot().counts().forEach((counter, n) -> sum.merge(counter, n, Long::sum));
        }
        sum.keySet().removeAll(ELSEWHERE);
        assertThat(sum).doesNotContainValue(0L);
    }

    private record Kept(int step) implements Checkpoint {}

    private static final class Run {
        private final Random random;
        private final RnicRig rig;
        private final Map<FlowKey, Long> ids = new HashMap<>();
        private final List<FlowKey> opened = new ArrayList<>();
        private final List<QpId> qps = new ArrayList<>();
        private final boolean[] attached = new boolean[3];
        private Optional<TcpFrame> lastSynAck = Optional.empty();
        private int step;

        Run(long seed) {
            random = new Random(seed);
            RnicConfig config = RnicRig.quiet("10.0.0.1/24", "10.0.0.3/24", "10.1.0.1/24@100");
            Neighbours.Limits neighbours = new Neighbours.Limits(6, 5, 3, SECOND, 30 * SECOND, 60 * SECOND);
            rig = new RnicRig(
                    RnicRig.limited(config, new RnicConfig.Limits(20, 3, 4, 4, 5, 6, 64, neighbours)),
                    new SoftDevice(),
                    CookieScene.cookies(CookieMode.WHEN_FULL, 100));
        }

        void run() {
            RnicSnapshot.Held before = rig.held();
            for (step = 0; step < STEPS; step++) {
                step();
                lookAt(rig.take());
                RnicSnapshot.Held held = rig.held();
                assertThat(held.flows()).isLessThanOrEqualTo(20);
                assertThat(held.handles()).isLessThanOrEqualTo(held.flows());
                assertThat(held.halfOpen() + held.waiting()).isLessThanOrEqualTo(held.flows());
            }
            for (int owner = 0; owner < 3; owner++) {
                rig.order(new NicControl.Detach(1, new Owner(owner)));
            }
            rig.order(new NicControl.Detach(2, new Owner(0), false)); // And what waits for an owner.
            for (int port = 5000; port < 5004; port++) {
                rig.order(new NicControl.Unlisten(1, listen("10.0.0.1:" + port, 0)));
                rig.order(new NicControl.Unlisten(1, listen("10.1.0.1:" + port, 100)));
            }
            qps.forEach(qp -> rig.order(new NicControl.DestroyQp(1, qp)));
            rig.pass(1_000 * SECOND);
            assertThat(rig.held()).isEqualTo(before);
            assertThat(rig.rnic().snapshot().timeWaits()).isZero();
            assertThat(rig.rnic().neighbours()).isEmpty();
            assertThat(rig.rnic().nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        }

        private void lookAt(List<String> lines) {
            for (String line : lines) {
                if (line.startsWith("ilq ")) {
                    assertThat(attached[line.charAt(4) - '0']).as(line).isTrue();
                } else if (line.startsWith("adopt ")) {
                    assertThat(attached[line.charAt(6) - '0']).as(line).isTrue();
                }
            }
        }

        private void step() {
            CookieScene.sent(rig).stream()
                    .filter(frame -> frame.segment().syn() && frame.segment().hasAck())
                    .forEach(frame -> lastSynAck = Optional.of(frame));
            switch (random.nextInt(13)) {
                case 0 -> control();
                case 1, 2, 3, 4, 5 -> request();
                case 6, 7, 8 -> rig.receive(flow(), segment());
                case 9 -> answerArp();
                case 10 -> {
                    byte[] junk = new byte[random.nextInt(90)];
                    random.nextBytes(junk);
                    rig.receive(junk);
                }
                case 11 -> lastSynAck.ifPresent(this::acknowledge);
                default -> rig.pass((long) (random.nextDouble() * random.nextDouble() * 20 * SECOND));
            }
        }

        /** What a peer makes of a SYN-ACK, be it with a cookie or not. */
        private void acknowledge(TcpFrame synAck) {
            Segment said = synAck.segment();
            rig.receive(
                    synAck.addressing().flow(),
                    Flows.segment(
                            "A", said.ack().value(), said.seq().value() + 1L, random.nextBoolean() ? "" : "data"));
        }

        private void control() {
            int owner = random.nextInt(3);
            int port = 5000 + random.nextInt(4);
            var key = random.nextBoolean() ? listen("10.0.0.1:" + port, 0) : listen("10.1.0.1:" + port, 100);
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> {
                    attached[owner] = true;
                    rig.order(new NicControl.Attach(1, new Owner(owner)));
                }
                case 3 -> {
                    if (random.nextInt(4) == 0) {
                        attached[owner] = false;
                        rig.order(new NicControl.Detach(1, new Owner(owner)));
                    }
                }
                case 4, 5 ->
                    rig.order(new NicControl.Listen(
                            1, key, 1 + random.nextInt(2), 1 + random.nextInt(3), SynOffer.DEFAULT));
                case 6 -> rig.order(new NicControl.Unlisten(1, key));
                case 7 -> {
                    String to = random.nextBoolean() ? "10.0.0.2:4420" : "10.0.0.3:" + port;
                    if (rig.open("0.0.0.0:0", to, 0)
                            instanceof NicControl.FlowOpened(long _, FlowKey flow, boolean _)) {
                        opened.add(flow);
                    }
                }
                default -> {
                    if (random.nextBoolean()
                            && rig.order(new NicControl.CreateQp(1)) instanceof NicControl.QpCreated(long _, QpId qp)) {
                        qps.add(qp);
                    } else if (!qps.isEmpty()) {
                        rig.order(new NicControl.DestroyQp(1, qps.remove(random.nextInt(qps.size()))));
                    }
                }
            }
        }

        private FlowKey flow() {
            if (!opened.isEmpty() && random.nextInt(3) == 0) {
                FlowKey flow = opened.get(random.nextInt(opened.size()));
                return random.nextInt(4) == 0 && !flow.remote().address().equals(ip("10.0.0.2"))
                        ? flow.reversed()
                        : flow;
            }
            int port = 5000 + random.nextInt(4);
            int peer = 2 + random.nextInt(6);
            return random.nextBoolean()
                    ? Flows.flow("10.0.0.1:" + port, "10.0.0." + peer + ":9")
                    : Flows.flow("10.1.0.1:" + port, "10.1.0." + peer + ":9", 100);
        }

        private Segment segment() {
            String flags = FLAGS[random.nextInt(FLAGS.length)];
            return Flows.segment(
                    flags, 301 + random.nextInt(3), 101 + random.nextInt(30), random.nextBoolean() ? "" : "data");
        }

        private void request() {
            Owner from = new Owner(random.nextInt(3));
            FlowKey flow = flow();
            long epoch =
                    random.nextInt(3) == 0 ? 0 : rig.rnic().epochOf(flow).orElse(0L) - (random.nextInt(8) == 0 ? 1 : 0);
            long last = ids.merge(flow, 1L, Long::sum);
            long id = random.nextInt(5) == 0 ? Math.max(1, last - random.nextInt(4)) : last;
            NicCommand[] commands = new NicCommand[1 + random.nextInt(3)];
            for (int i = 0; i < commands.length; i++) {
                commands[i] = command(flow);
            }
            if (random.nextInt(3) == 0) {
                commands[0] = new NicCommand.CreateAh(NicCommand.Path.DEFAULT);
            }
            Optional<Checkpoint> checkpoint = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(new Kept(step));
            rig.request(from, flow, Math.max(0, epoch), id, random.nextInt(40) / 30L, checkpoint, commands);
        }

        private NicCommand command(FlowKey flow) {
            QpId qp = qps.isEmpty() ? new QpId(9) : qps.get(random.nextInt(qps.size()));
            return switch (random.nextInt(16)) {
                case 0 -> new NicCommand.CreateAh(NicCommand.Path.DEFAULT);
                case 1 -> new NicCommand.FreeAh();
                case 2, 3, 4 ->
                    new NicCommand.AddQuadHash(
                            random.nextBoolean() ? Optional.of(NicCommand.ListenKey.of(flow)) : Optional.empty());
                case 5 -> new NicCommand.DeleteQuadHash();
                case 6 -> new NicCommand.AddApbvt();
                case 7 -> new NicCommand.DeleteApbvt();
                case 8 -> new NicCommand.MoveInBacklog(NicCommand.BacklogPlace.values()[random.nextInt(3)]);
                case 9 -> new NicCommand.Transmit(segment());
                case 10, 11 -> HandOverTest.modify(qp);
                case 12 -> new NicCommand.Reinject(segment());
                case 13 -> new NicCommand.CloseQp(qp);
                case 14 ->
                    random.nextBoolean()
                            ? new NicCommand.AbortQp(qp)
                            : new NicCommand.TerminateQp(qp, TermCode.MPA_LOCAL_ERROR);
                default -> new NicCommand.EnterTimeWait(new NicCommand.TimeWaitRow(seq(150), seq(301), 512));
            };
        }

        private void answerArp() {
            int peer = 2 + random.nextInt(6);
            int vlan = random.nextBoolean() ? 0 : 100;
            Ipv4Address ours = (Ipv4Address) ip(vlan == 0 ? "10.0.0.1" : "10.1.0.1");
            Ipv4Address theirs = (Ipv4Address) ip((vlan == 0 ? "10.0.0." : "10.1.0.") + peer);
            MacAddress from = mac(0x20 + random.nextInt(4));
            rig.receiveArp(
                    random.nextInt(3) == 0
                            ? ArpPacket.request(from, theirs, ours)
                            : new ArpPacket(ArpPacket.Operation.REPLY, from, theirs, RnicRig.OURS, ours),
                    RnicRig.OURS,
                    vlan);
        }
    }
}
