package io.iwcm.cm.proto;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.script.Script;
import io.iwcm.cm.script.Walk;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inputs of every kind in any order: segments that fit and that do not, ticks, events, calls. Whatever comes, the contract of
 * PROTOCOL §20 and the rules of {@link CheckedMachine} hold, and in the end nothing is left. {@code -Dwalk.seed=N} replays
 * one walk.
 */
@DisplayName("Random walks")
class RandomWalkTest {

    private static final int WALKS = 4_000;
    private static final int BATCHES = 8;
    private static final int INPUTS_MAX = 60;
    private static final SeqNum PEER_ISN = new SeqNum(50_000_000);

    private static final Octets REQUEST =
            frame("MPA ID Req Frame", "50020008 8004c003 41424344").concat(Octets.ofHex("00112233"));
    private static final Octets REPLY =
            frame("MPA ID Rep Frame", "50020008 80034004 41424344").concat(Octets.ofHex("00112233"));
    private static final Octets REJECT = frame("MPA ID Rep Frame", "70020004 80034004");

    private static final String[] OPENINGS = {
        ". connect p2p fallback",
        ". connect v1 pd fill 512",
        "~ decision 30s\n. listen 4420\n< S 0:0(0) mss 1460 ws 7",
        ". listen 4420\n< S 0:0(0)",
        "nic hold ah\n. connect p2p",
        "nic hold quad\n. listen 4420\n< S 0:0(0) mss 100",
        "nic hold qp\n. connect p2p fallback",
        "nic hold qp\n. listen 4420\n< S 0:0(0)",
        "~ early-fpdu-is-error on\n~ retries 2\n. connect p2p",
        "~ strict-reply off\n. connect v2",
    };

    static Stream<Integer> batches() {
        return IntStream.range(0, BATCHES).boxed();
    }

    @ParameterizedTest(name = "batch {0}")
    @MethodSource("batches")
    void keepTheContract(int batch) {
        Long only = Long.getLong("walk.seed");
        for (int i = 0; i < WALKS / BATCHES; i++) {
            walk(only == null ? (long) batch * WALKS + i : only);
        }
    }

    @Test
    @Tag("slow")
    void keepTheContractForLong() {
        for (long seed = 1_000_000; seed < 1_200_000; seed++) {
            walk(seed);
        }
    }

    /** A walk that never gets anywhere shows nothing. */
    @Test
    void reachEveryState() {
        Map<StateName, Integer> reached = new EnumMap<>(StateName.class);
        for (long seed = 0; seed < WALKS / 2; seed++) {
            walk(seed).forEach((name, times) -> reached.merge(name, times, Integer::sum));
        }

        assertThat(reached).doesNotContainKeys(StateName.LISTENING, StateName.TIME_WAIT);
        for (StateName name : StateName.values()) {
            if (name != StateName.LISTENING && name != StateName.TIME_WAIT) {
                assertThat(reached.getOrDefault(name, 0)).as(name.name()).isGreaterThan(20);
            }
        }
    }

    private static Map<StateName, Integer> walk(long seed) {
        Random random = new Random(seed * 0x9e3779b97f4a7c15L);
        Map<StateName, Integer> visits = new EnumMap<>(StateName.class);
        Walk walk = Script.against(new CheckedMachine()).walk(OPENINGS[random.nextInt(OPENINGS.length)]);
        try {
            boolean rough = random.nextInt(4) == 0;
            for (int i = random.nextInt(INPUTS_MAX); i > 0; i--) {
                visits.merge(walk.state().name(), 1, Integer::sum);
                input(walk, random, rough);
            }
            if (random.nextBoolean()) {
                leaveAlone(walk);
            }
            for (int i = 0; walk.alive() && i < 1_000; i++) {
                walk.feed(new CmInput.Shutdown());
                walk.tick();
            }
            visits.merge(walk.state().name(), 1, Integer::sum);
            assertThat(walk.alive()).as("alive after its shutdown").isFalse();
            for (int i = 0; i < 10; i++) {
                input(walk, random, true);
            }
            return visits;
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError(
                    "seed " + seed + ": " + broken.getMessage() + "\n" + String.join("\n", walk.trace()), broken);
        }
    }

    /** Nobody does anything any more: it ends, unless it stands or the application may think as long as it likes. */
    private static void leaveAlone(Walk walk) {
        int ticks = 0;
        while (walk.tick()) {
            assertThat(++ticks).as("timers that fire and fire").isLessThan(500);
        }
        boolean stays = !walk.alive()
                || walk.state() instanceof CmState.Orphaned
                || walk.state() instanceof CmState.MpaReqRcvd
                || walk.state() instanceof CmState.CloseWait
                || (walk.state() instanceof CmState.Offloaded offloaded
                        && offloaded.progress() instanceof CmState.Progress.Running);
        assertThat(stays).as("for ever in " + walk.state().name()).isTrue();
    }

    private static void input(Walk walk, Random random, boolean rough) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            walk.feed(new CmInput.Arrived(rough ? wild(walk, random) : fitting(walk, random)));
        } else if (dice < 62) {
            asynchronous(walk, random);
        } else if (dice < 72) {
            walk.nic(pick(random, "release ah", "release quad", "release qp", "release qp"));
        } else if (dice < 80) {
            walk.tick();
        } else if (dice < 82) {
            walk.pass(random.nextInt(2_000_000_000));
        } else if (dice < 84) {
            walk.staleTick(pick(random, TimerKey.values()));
        } else if (dice < 88) {
            walk.says(new NicEvent.PathError(
                    pick(random, NicEvent.PathProblem.values()),
                    random.nextInt(1_600),
                    walk.bases().our().plus(random.nextInt(30))));
        } else if (dice < 96) {
            call(walk, random);
        } else if (random.nextInt(rough ? 1 : 3) == 0) {
            disturb(walk, random);
        }
    }

    private static void asynchronous(Walk walk, Random random) {
        AsyncEvent.Code code = pick(random, AsyncEvent.Code.values());
        if (code == AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED) {
            code = AsyncEvent.Code.RTR_RECEIVED; // The fake NIC says that itself.
        }
        walk.says(new NicEvent.QpEvent(AsyncEvent.of(code)));
    }

    private static void call(Walk walk, Random random) {
        Octets data = Octets.wrap(new byte[number(random, 0, 0, 4, 508, 512, 513)]);
        Optional<ReadDepths> depths = random.nextBoolean() ? Optional.empty() : Optional.of(new ReadDepths(4, 4));
        switch (random.nextInt(7)) {
            case 0 -> walk.call(id -> new CmInput.Reject(id, data));
            case 1 -> walk.call(CmInput.Disconnect::new);
            case 2 -> walk.call(CmInput.Abort::new);
            default -> walk.call(id -> new CmInput.Accept(id, new QpId(7), depths, data));
        }
    }

    private static void disturb(Walk walk, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> walk.feed(new CmInput.ApplicationGone());
            case 1 -> walk.feed(new CmInput.AddressDown());
            case 2, 3 -> walk.feed(new CmInput.ListenerGone());
            case 4 -> walk.feed(new CmInput.Shutdown());
            case 5 -> walk.says(new NicEvent.Superseded());
            default -> walk.nic(pick(random, "fail ah", "fail quad", "fail quad backlog-full", "fail qp"));
        }
    }

    /** What a peer might send that mostly means well. */
    private static Segment fitting(Walk walk, Random random) {
        SeqNum our = walk.bases().our();
        return switch (walk.state()) {
            case CmState.Synchronized synced -> {
                Tcb tcb = synced.tcb();
                Octets stream = stream(synced, random);
                int at = tcb.rcv().nxt().minus(tcb.rcv().irs()) - 1;
                int length = Math.min(random.nextInt(40), Math.max(0, stream.length() - at));
                Octets payload = length == 0 ? Octets.EMPTY : stream.slice(at, length);
                boolean crossing =
                        synced instanceof CmState.FinWait1 && random.nextInt(3) == 0; // Its FIN crosses ours.
                SeqNum ack = crossing || random.nextInt(4) == 0
                        ? tcb.snd().una()
                        : tcb.snd().nxt();
                int flags = Segment.ACK | (crossing || random.nextInt(12) == 0 ? Segment.FIN : 0);
                if (random.nextInt(40) == 0) {
                    flags = Segment.RST;
                }
                yield segment(tcb.rcv().nxt(), ack, flags, 65_535, payload);
            }
            case CmState.SynSent synSent -> {
                int flags = random.nextInt(5) == 0 ? Segment.SYN : Segment.SYN | Segment.ACK;
                yield new Segment(
                        PEER_ISN,
                        synSent.iss().plus(1),
                        flags,
                        random.nextInt(6) == 0 ? 0 : 65_535,
                        TcpOptions.ofSyn(1460, 7),
                        Octets.EMPTY);
            }
            case CmState.Live _, CmState.Closed _ ->
                segment(PEER_ISN.plus(1), our.plus(1), Segment.ACK, 65_535, Octets.EMPTY);
        };
    }

    private static Octets stream(CmState.Synchronized synced, Random random) {
        if (synced.conn().passive()) {
            return REQUEST.slice(0, random.nextInt(10) == 0 ? REQUEST.length() : 28);
        }
        return random.nextInt(4) == 0 ? REJECT : REPLY.slice(0, random.nextInt(4) == 0 ? REPLY.length() : 28);
    }

    /** Anything at all, near the numbers that matter. */
    private static Segment wild(Walk walk, Random random) {
        SeqNum rcv = walk.state() instanceof CmState.Synchronized synced
                ? synced.tcb().rcv().nxt()
                : PEER_ISN;
        SeqNum snd = walk.state() instanceof CmState.Synchronized synced
                ? synced.tcb().snd().nxt()
                : walk.bases().our().plus(1);
        Octets payload = random.nextBoolean() ? Octets.EMPTY : REPLY.slice(0, 1 + random.nextInt(20));
        return new Segment(
                rcv.plus(number(random, 0, 0, 0, -1, 1, 7, -20, 40, 70_000, 100_000_000, Integer.MIN_VALUE)),
                snd.plus(number(random, 0, 0, 0, -1, 1, -24, 5, -100_000_000, 100_000_000, Integer.MIN_VALUE)),
                random.nextInt(256) | (random.nextBoolean() ? Segment.ACK : 0),
                random.nextInt(65_536),
                new TcpOptions(
                        number(random, -1, 0, 1, 536, 65_535), number(random, -1, 0, 2, 200), random.nextBoolean()),
                payload);
    }

    private static Segment segment(SeqNum seq, SeqNum ack, int flags, int window, Octets payload) {
        return new Segment(seq, ack, flags, window, TcpOptions.NONE, payload);
    }

    private static int number(Random random, int... from) {
        return from[random.nextInt(from.length)];
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... from) {
        return from[random.nextInt(from.length)];
    }

    private static Octets frame(String key, String hex) {
        return Octets.wrap(key.getBytes(StandardCharsets.US_ASCII)).concat(Octets.ofHex(hex.replace(" ", "")));
    }
}
