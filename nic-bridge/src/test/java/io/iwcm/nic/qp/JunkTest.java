package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
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
        Scene scene = setup.takeOver();
        FpduWriter peer = new FpduWriter(setup.receiveMarkers, setup.crc, 1460);
        int[] at = {0};

        for (int step = 0; step < 300 && !scene.qp.ended(); step++) {
            int before = scene.recorded.segments.size();
            switch (random.nextInt(20)) {
                case 0 -> scene.pass(random.nextInt(2000));
                case 1, 2, 3 -> junk(scene, random, at[0]);
                case 4 -> order(scene, random);
                default -> plausible(scene, random, peer, at);
            }
            assertThat(scene.recorded.segments.size() - before).isLessThan(150);
            assertThat(scene.qp.ended() || scene.qp.nextDeadlineNs() > scene.nowNs)
                    .isTrue();
        }
        scene.qp.close(scene.nowNs, scene.recorded);
        scene.pass(125_000);

        assertThat(scene.qp.ended()).isTrue();
        assertThat(scene.recorded.ended).isTrue();
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
    private static void plausible(Scene scene, Random random, FpduWriter peer, int[] at) {
        Octets payload = switch (random.nextInt(5)) {
            case 0 -> octets(random, 1500);
            case 1 -> peer.frame(octets(random, 60));
            case 2 -> peer.frame(rdmapLike(random));
            case 3 -> Octets.EMPTY;
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
}
