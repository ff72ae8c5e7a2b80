package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The out-of-order queue: bounded, and whatever order pieces come in, the stream comes out. */
class ReassemblyTest {

    private static SeqNum at(int number) {
        return new SeqNum(number);
    }

    @Test
    void keepsNoMoreOctetsThanAllowedAndGivesTheRoomBack() {
        Reassembly reassembly = new Reassembly(10);
        for (int round = 0; round < 5; round++) {
            assertThat(reassembly.keep(at(2), Octets.wrap(new byte[6]))).isTrue();
            assertThat(reassembly.keep(at(20), Octets.wrap(new byte[5]))).isFalse();
            assertThat(reassembly.keep(at(20), Octets.wrap(new byte[4]))).isTrue();
            assertThat(reassembly.keep(at(21), Octets.wrap(new byte[3])))
                    .as("covered")
                    .isTrue();
            assertThat(reassembly.take(at(0))).isEmpty();
            assertThat(reassembly.take(at(4)).map(Octets::length)).contains(4);
            assertThat(reassembly.take(at(24))).isEmpty();
            assertThat(reassembly.isEmpty()).isTrue();
        }
    }

    @Test
    void whatIsNeededFirstTakesThePlaceOfWhatIsNeededLast() {
        Reassembly reassembly = new Reassembly(100_000);
        for (int i = 0; i < Reassembly.RUNS_MAX; i++) {
            assertThat(reassembly.keep(at(100 + 2 * i), Octets.wrap(new byte[1])))
                    .isTrue();
        }
        assertThat(reassembly.keep(at(100_000), Octets.wrap(new byte[1]))).isFalse();
        assertThat(reassembly.takeEvicted()).isZero();
        assertThat(reassembly.keep(at(10), Octets.wrap(new byte[5]))).isTrue();
        assertThat(reassembly.takeEvicted()).isEqualTo(1);
        assertThat(reassembly.take(at(10)).map(Octets::length)).contains(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void putsAnyOverlappingPiecesBackTogetherAcrossTheWrap(int seed) {
        Random random = new Random(seed);
        byte[] stream = new byte[200];
        random.nextBytes(stream);
        int origin = -random.nextInt(250);
        Reassembly reassembly = new Reassembly(100_000);
        Octets out = Octets.EMPTY;
        for (int turn = 0; turn < 2000 && out.length() < stream.length; turn++) {
            int from = random.nextInt(stream.length);
            int length = Math.min(stream.length - from, 1 + random.nextInt(30));
            Octets piece = Octets.wrap(Arrays.copyOfRange(stream, from, from + length));
            if (from > out.length()) {
                reassembly.keep(at(origin + from), piece);
            } else if (from + length > out.length()) { // In order: never goes through the queue.
                out = out.concat(piece.from(out.length() - from));
            }
            Optional<Octets> next = reassembly.take(at(origin + out.length()));
            while (next.isPresent()) {
                out = out.concat(next.get());
                next = reassembly.take(at(origin + out.length()));
            }
        }
        assertThat(out.toBytes()).isEqualTo(stream);
    }

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }
}
