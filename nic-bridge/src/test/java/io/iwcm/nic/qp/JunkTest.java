package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.verbs.RemoteBuffer;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Octets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a peer sends: nothing is thrown, the answers are bounded, the end comes once and when it must. */
class JunkTest {

    static IntStream seeds() {
        return IntStream.range(0, 600);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverThrowsAndStillEnds(int seed) {
        Random random = new Random(seed);
        Scene.Setup setup =
                random.nextBoolean() ? Scene.Setup.responder() : Scene.Setup.initiator(Rtr.values()[random.nextInt(3)]);
        setup.ours = random.nextBoolean() ? random.nextInt() : -random.nextInt(100);
        setup.theirs = random.nextBoolean() ? random.nextInt() : -random.nextInt(2000);
        setup.crc = random.nextInt(3) != 0;
        setup.receiveMarkers = random.nextInt(3) == 0;
        setup.sendMarkers = random.nextInt(3) == 0;
        setup.mss = random.nextInt(3) == 0 ? random.nextInt(100) : 1460;
        setup.window = random.nextInt(4) == 0 ? random.nextInt(30) : 65535;
        setup.receiveWindow = random.nextInt(4) == 0 ? random.nextInt(3) : 5000;
        setup.receiveScale = 0;
        setup.ird = random.nextInt(3);
        Store store = new Store(random);
        setup.work = store.work;
        setup.ord = random.nextInt(3);
        Scene scene = setup.takeOver();
        FpduWriter peer = new FpduWriter(setup.receiveMarkers, setup.crc, 1460);
        int[] at = {0};

        for (int step = 0; step < 300 && !scene.qp.ended(); step++) {
            int before = scene.recorded.segments.size();
            store.postSome(scene, random);
            switch (random.nextInt(20)) {
                case 0 -> scene.pass(random.nextInt(2000));
                case 1, 2, 3 -> junk(scene, random, at[0]);
                case 4 -> order(scene, random);
                default -> plausible(scene, random, peer, at, store);
            }
            assertThat(scene.recorded.segments.size() - before).isLessThan(150);
            assertThat(scene.qp.ended() || scene.qp.nextDeadlineNs() > scene.nowNs)
                    .isTrue();
        }
        scene.qp.close(scene.nowNs, scene.recorded);
        scene.pass(125_000);

        assertThat(scene.qp.ended()).isTrue();
        assertThat(scene.recorded.ended).isTrue();
        store.check();
        assertThat(scene.recorded.events.getFirst().code()).isEqualTo(AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED);
        for (AsyncEvent.Code code : AsyncEvent.Code.values()) {
            assertThat(scene.recorded.events.stream().filter(event -> event.code() == code))
                    .as(code.name())
                    .hasSizeLessThan(2);
        }
    }

    private static void junk(Scene scene, Random random, int at) {
        int near = random.nextBoolean() ? random.nextInt() : at + random.nextInt(200) - 100;
        int ack = random.nextBoolean() ? random.nextInt() : random.nextInt(120) - 40;
        scene.peer(near, ack, random.nextInt(256), octets(random, 40), random.nextInt(65536));
    }

    private static void order(Scene scene, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> scene.qp.close(scene.nowNs, scene.recorded);
            case 1 -> scene.qp.terminate(TermCode.MPA_LOCAL_ERROR, scene.nowNs, scene.recorded);
            case 2 -> scene.qp.abort(scene.nowNs, scene.recorded);
            default -> scene.pass(random.nextInt(200));
        }
    }

    /** In order, or nearly, with acknowledgements, or nearly; content from a good FPDU to noise. */
    private static void plausible(Scene scene, Random random, FpduWriter peer, int[] at, Store store) {
        Octets payload = switch (random.nextInt(7)) {
            case 0 -> octets(random, 1500);
            case 1 -> peer.frame(octets(random, 60));
            case 2 -> peer.frame(rdmapLike(random));
            case 3 -> Octets.EMPTY;
            case 4, 5 -> peer.frame(store.aimed(random));
            default ->
                peer.frame(
                        DdpSegment.tagged(DdpSegment.WRITE, 0, 0, Octets.EMPTY).octets());
        };
        int jitter = random.nextInt(10) == 0 ? random.nextInt(40) - 20 : 0;
        int flags = 0x10 | (random.nextInt(60) == 0 ? 1 : 0);
        scene.peer(at[0] + jitter, random.nextInt(30), flags, payload, random.nextInt(3) * 1000);
        if (random.nextInt(10) != 0) {
            at[0] += payload.length();
        }
    }

    private static Octets rdmapLike(Random random) {
        byte[] ulpdu = new byte[14 + random.nextInt(60)];
        random.nextBytes(ulpdu);
        ulpdu[0] = (byte) (random.nextBoolean() ? 0x41 : 0xc1);
        ulpdu[1] = (byte) (0x40 | random.nextInt(8));
        if (ulpdu[0] == 0x41 && random.nextInt(4) != 0) {
            java.util.Arrays.fill(ulpdu, 2, 14, (byte) 0);
            ulpdu[9] = (byte) random.nextInt(4);
            ulpdu[13] = 1;
        }
        return Octets.wrap(ulpdu);
    }

    private static Octets octets(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return Octets.wrap(bytes);
    }

    /** Memory that a peer may write to, memory that it may read, memory that it may not touch, and work. */
    private static final class Store {
        private final ProtectionDomain domain = new ProtectionDomain("ours");
        private final RegionTable regions;
        private final MemoryRegion open;
        private final MemoryRegion closed;
        private final List<Long> completed = new ArrayList<>();
        private final List<Long> posted = new ArrayList<>();
        private final WorkQueues work;
        private int sends;

        private Store(Random random) {
            regions = new RegionTable(10, random::nextLong);
            open = region(Access.ALL);
            closed = region(Access.LOCAL_READ);
            work = new WorkQueues(new QpId(7), domain, regions, (completion, _) -> completed.add(completion.id()));
        }

        private MemoryRegion region(Access access) {
            return regions.register(domain, MemorySegment.ofArray(new byte[64]), 0x100, access)
                    .orElseThrow();
        }

        private void postSome(Scene scene, Random random) {
            if (random.nextInt(6) != 0 || posted.size() >= 40) {
                return;
            }
            long id = posted.size();
            posted.add(id);
            Slices some = Slices.of(open, random.nextInt(32), random.nextInt(33));
            work.post(
                    switch (random.nextInt(6)) {
                        case 0 -> new WorkRequest.Send(id, some);
                        case 1 -> new WorkRequest.Read(id, some, new RemoteBuffer(random.nextInt(), 0));
                        case 2 -> new WorkRequest.Write(id, some, new RemoteBuffer(random.nextInt(), 0), false);
                        default -> new WorkRequest.Receive(id, some);
                    });
            scene.qp.posted(scene.nowNs, scene.recorded);
        }

        /** A segment that is good, or nearly: for the right memory, or the octet beside it, or the forbidden one. */
        private Octets aimed(Random random) {
            MemoryRegion region = random.nextInt(12) == 0 ? closed : open;
            int stag = region.stag() ^ (random.nextInt(20) == 0 ? 1 << random.nextInt(32) : 0);
            long offset = 0x100 + random.nextInt(60) - (random.nextInt(20) == 0 ? 60 : 0);
            Octets payload = octets(random, 10);
            return switch (random.nextInt(4)) {
                case 0 ->
                    DdpSegment.tagged(DdpSegment.WRITE, stag, offset, payload).octets();
                case 1 ->
                    DdpSegment.tagged(DdpSegment.READ_RESPONSE, stag, offset, payload)
                            .octets();
                case 2 -> {
                    DdpSegment.Place place = new DdpSegment.Place(0, sends + 1, 0);
                    boolean last = random.nextInt(8) != 0;
                    sends += last ? 1 : 0;
                    int opcode = 3 + random.nextInt(random.nextInt(20) == 0 ? 5 : 1);
                    yield DdpSegment.untaggedHeader(opcode, last, stag, place).concat(payload);
                }
                default ->
                    DdpSegment.untagged(DdpSegment.READ_REQUEST, 1, 1 + random.nextInt(3), request(stag, offset))
                            .octets();
            };
        }

        private static Octets request(int stag, long offset) {
            return Octets.wrap(ByteBuffer.allocate(28)
                    .putInt(1)
                    .putLong(0)
                    .putInt((int) offset & 15)
                    .putInt(stag)
                    .putLong(offset)
                    .array());
        }

        /** Everything is completed once, and what nobody may touch is untouched. */
        private void check() {
            assertThat(completed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(posted);
            assertThat(closed.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[64]);
        }
    }
}
