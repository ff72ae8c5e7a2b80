package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.memory.Slice;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.RemoteBuffer;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.verbs.WorkRequest.Form;
import io.iwcm.nic.wire.Octets;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two queue pairs with random work over a bad wire, and beside them a model that is two arrays: every octet of the memory
 * that is written to is compared in the end, and every completion, in order.
 */
class RandomVerbsTest {

    private static final long SECOND = 1000 * Scene.MS;
    private static final int MEMORY = 60_000;
    private static final int MESSAGE_MAX = 4000;

    /** {@code -Dsim.seed=N} replays one, {@code -Dsim.seeds=N} runs as many. */
    static LongStream seeds() {
        Long one = Long.getLong("sim.seed");
        return one == null ? LongStream.range(0, Integer.getInteger("sim.seeds", 150)) : LongStream.of(one);
    }

    /** One end: memory that is only read, memory that is only written, each octet of it once, and the model of that. */
    private final class Side {
        final ProtectionDomain domain = new ProtectionDomain("domain");
        final RegionTable regions;
        final QpSimulation.End end;
        final MemoryRegion source;
        final MemoryRegion sink;
        final byte[] expected = new byte[MEMORY];
        final List<Completion> completed = new ArrayList<>();
        final List<Long> sendsPosted = new ArrayList<>();
        final List<Long> receivesExpected = new ArrayList<>();
        final List<Integer> lengthsExpected = new ArrayList<>();
        /** Receives that no message has been sent for, and where their memory is. */
        final ArrayDeque<WorkRequest.Receive> ready = new ArrayDeque<>();

        final List<MemoryRegion> invalidated = new ArrayList<>();
        int taken;
        long ids;

        Side(QpSimulation.End end, long base) {
            this.end = end;
            regions = new RegionTable(100, random::nextLong);
            byte[] content = new byte[MEMORY];
            random.nextBytes(content);
            source = region(content, base, Access.REMOTE_READ);
            sink = region(new byte[MEMORY], -base, Access.REMOTE_WRITE);
            end.setup.work = new WorkQueues(new QpId(1), domain, regions, (completion, told) -> {
                if (told) {
                    completed.add(completion);
                }
            });
            end.setup.ird = 1 + random.nextInt(4);
        }

        private MemoryRegion region(byte[] content, long base, Access access) {
            return regions.register(domain, MemorySegment.ofArray(content), base, access)
                    .orElseThrow();
        }

        /** Memory that nothing has been placed in, with a gap before it that nothing may be. */
        int place(int length) {
            int at = taken + random.nextInt(3);
            taken = at + length;
            return at;
        }

        boolean hasRoom() {
            return taken + MESSAGE_MAX + 3 < MEMORY;
        }

        void post(WorkRequest work) {
            end.setup.work.post(work);
            end.qp.ifPresent(pair -> pair.posted(sim.nowNs, end));
        }

        Slices from(int at, int length) {
            int cut = random.nextInt(length + 1);
            return new Slices(List.of(new Slice(source, at, cut), new Slice(source, at + cut, length - cut)));
        }

        void expect(int at, Side from, int fromAt, int length) {
            System.arraycopy(VerbsScene.content(from.source).toBytes(), fromAt, expected, at, length);
        }
    }

    private Random random = new Random(0);
    private QpSimulation sim = new QpSimulation(0);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyOctetIsWhereItBelongsAndEveryCompletionInOrder(long seed) {
        random = new Random(seed);
        sim = new QpSimulation(seed);
        for (QpSimulation.End end : List.of(sim.initiator, sim.responder)) {
            end.setup.mss = random.nextBoolean() ? 300 : 1460;
        }
        Side one = new Side(sim.initiator, random.nextInt(1 << 20));
        Side two = new Side(sim.responder, 0x7fff_ffff_ffff_0000L);
        one.end.setup.ord = two.end.setup.ird;
        two.end.setup.ord = one.end.setup.ird;
        sim.lossPercent = random.nextInt(8);
        sim.repeatPercent = random.nextInt(10);
        sim.delayMsMax = 1 + random.nextInt(20);
        act(one, two);
        sim.responder.takeOver();
        for (int i = 0; i < 40; i++) {
            if (random.nextBoolean()) {
                act(one, two);
            } else {
                act(two, one);
            }
            if (random.nextInt(3) == 0) {
                sim.runUntil(sim.nowNs + random.nextInt(300) * Scene.MS);
            }
        }
        sim.lossPercent = 0;
        sim.repeatPercent = 0;
        sim.delayMsMax = 1;
        sim.runUntil(sim.nowNs + 900 * SECOND);
        check(one);
        check(two);

        sim.close(random.nextBoolean() ? sim.initiator : sim.responder);
        sim.runUntil(sim.nowNs + 200 * SECOND);
        for (Side side : List.of(one, two)) {
            assertThat(side.end.ended).as(sim::trace).isTrue();
            assertThat(side.end.count(Code.BAD_CLOSE)).as(sim::trace).isZero();
            List<Long> flushed = side.completed.stream()
                    .filter(completion -> completion.status() == Status.FLUSHED)
                    .map(Completion::id)
                    .toList();
            assertThat(flushed)
                    .isEqualTo(side.ready.stream().map(WorkRequest.Receive::id).toList());
        }
    }

    private void act(Side one, Side other) {
        if (!one.hasRoom() || !other.hasRoom()) {
            return;
        }
        int length = random.nextInt(5) == 0 ? 0 : random.nextInt(random.nextBoolean() ? 50 : MESSAGE_MAX);
        int from = random.nextInt(MEMORY - length + 1);
        long id = ++one.ids;
        switch (random.nextInt(5)) {
            case 0, 1 -> receive(one, length, id);
            case 2 -> send(one, other, id);
            case 3 -> {
                int at = other.place(length);
                other.expect(at, one, from, length);
                one.sendsPosted.add(id);
                RemoteBuffer to = new RemoteBuffer(other.sink.stag(), other.sink.base() + at);
                one.post(new WorkRequest.Write(id, one.from(from, length), to));
            }
            default -> {
                int at = one.place(length);
                one.expect(at, other, from, length);
                one.sendsPosted.add(id);
                RemoteBuffer where = new RemoteBuffer(other.source.stag(), other.source.base() + from);
                one.post(new WorkRequest.Read(id, Slices.of(one.sink, at, length), where));
            }
        }
    }

    private static void receive(Side one, int length, long id) {
        int at = one.place(length);
        WorkRequest.Receive receive = new WorkRequest.Receive(id, Slices.of(one.sink, at, length));
        one.ready.add(receive);
        one.post(receive);
    }

    /** A message that fits the peer's next receive, if it has one. */
    private void send(Side one, Side other, long id) {
        WorkRequest.Receive into = other.ready.poll();
        if (into == null) {
            return;
        }
        int length = random.nextInt((int) into.into().length() + 1);
        int from = random.nextInt(MEMORY - length + 1);
        other.expect((int) into.into().parts().getFirst().at(), one, from, length);
        other.receivesExpected.add(into.id());
        other.lengthsExpected.add(length);
        Optional<Integer> stag = Optional.empty();
        if (random.nextInt(4) == 0) {
            MemoryRegion gone = other.region(new byte[1], 0, Access.ALL);
            other.invalidated.add(gone);
            stag = Optional.of(gone.stag());
        }
        one.sendsPosted.add(id);
        one.post(new WorkRequest.Send(id, one.from(from, length), new Form(random.nextBoolean(), stag), true));
    }

    private void check(Side side) {
        assertThat(VerbsScene.content(side.sink)).as(sim::trace).isEqualTo(Octets.wrap(side.expected));
        List<Completion> receives = side.completed.stream()
                .filter(completion -> completion.kind() == Completion.Kind.RECEIVE)
                .toList();
        assertThat(receives).extracting(Completion::id).as(sim::trace).isEqualTo(side.receivesExpected);
        assertThat(receives).extracting(completion -> (int) completion.length()).isEqualTo(side.lengthsExpected);
        assertThat(side.completed.stream()
                        .filter(completion -> completion.kind() != Completion.Kind.RECEIVE)
                        .map(Completion::id))
                .as(sim::trace)
                .isEqualTo(side.sendsPosted);
        assertThat(side.completed).allMatch(Completion::good);
        assertThat(side.invalidated).noneMatch(MemoryRegion::isValid);
        assertThat(side.source.isValid()).isTrue();
    }
}
