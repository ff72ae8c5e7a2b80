package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Flags;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames octet for octet, read and written (RFC 5044 §7.1.1, RFC 6581 §6). */
class MpaFrameVectorsTest {

    private static final Flags C = new Flags(false, true, false);
    private static final Flags CR = new Flags(false, true, true);

    static Stream<Arguments> vectors() {
        return Stream.of(
                Arguments.of(
                        "revision 1 request, CRC, private data",
                        Mpa.request("40 01 0004 41424344"),
                        new MpaFrame(Kind.REQUEST, C, 1, Optional.empty(), ascii("ABCD"))),
                Arguments.of(
                        "revision 2 request, peer-to-peer, Write or Read RTR, private data",
                        Mpa.request("50 02 0008 8004 c003 41424344"),
                        new MpaFrame(Kind.REQUEST, C, 2, words(true, RtrSet.WRITE_OR_READ, 4, 3), ascii("ABCD"))),
                Arguments.of(
                        "revision 2 accept, Read RTR",
                        Mpa.reply("50 02 0004 8003 4004"),
                        new MpaFrame(Kind.REPLY, C, 2, words(true, Mpa.READ, 3, 4), Octets.EMPTY)),
                Arguments.of(
                        "revision 2 reject with private data",
                        Mpa.reply("70 02 0006 8003 4004 4e4f"),
                        new MpaFrame(Kind.REPLY, CR, 2, words(true, Mpa.READ, 3, 4), ascii("NO"))),
                Arguments.of(
                        "revision 2 request, client-server",
                        Mpa.request("50 02 0004 0004 0003"),
                        new MpaFrame(Kind.REQUEST, C, 2, words(false, RtrSet.NONE, 4, 3), Octets.EMPTY)),
                Arguments.of(
                        "revision 2 request, neither depth to be negotiated",
                        Mpa.request("50 02 0004 bfff ffff"),
                        new MpaFrame(
                                Kind.REQUEST, C, 2, words(true, RtrSet.WRITE_OR_READ, 0x3fff, 0x3fff), Octets.EMPTY)),
                Arguments.of(
                        "revision 2 without S: all private data",
                        Mpa.request("40 02 0008 0102030405060708"),
                        new MpaFrame(Kind.REQUEST, C, 2, Optional.empty(), Octets.ofHex("0102030405060708"))),
                Arguments.of(
                        "revision 2 request with Send RTR alone, markers, no CRC",
                        Mpa.request("90 02 0004 c001 0002"),
                        new MpaFrame(
                                Kind.REQUEST,
                                new Flags(true, false, false),
                                2,
                                words(true, Mpa.SEND, 1, 2),
                                Octets.EMPTY)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void readsTheOctets(String name, Octets octets, MpaFrame frame) {
        assertThat(MpaCodec.decode(octets, frame.kind())).isEqualTo(new Complete(frame, octets.length()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void writesTheOctets(String name, Octets octets, MpaFrame frame) {
        assertThat(MpaCodec.encode(frame)).isEqualTo(octets);
    }

    @Test
    void writesTheLongestFrameOfEitherForm() {
        MpaFrame plain = new MpaFrame(Kind.REQUEST, C, 1, Optional.empty(), Mpa.pd(512));
        MpaFrame enhanced = new MpaFrame(Kind.REPLY, C, 2, words(true, Mpa.READ, 3, 4), Mpa.pd(508));

        assertThat(MpaCodec.encode(plain)).isEqualTo(Mpa.request("40 01 0200").concat(Mpa.pd(512)));
        assertThat(MpaCodec.encode(enhanced))
                .isEqualTo(Mpa.reply("50 02 0200 8003 4004").concat(Mpa.pd(508)));
        assertThat(MpaCodec.encode(plain).length()).isEqualTo(MpaCodec.FRAME_MAX);
        assertThat(MpaCodec.encode(enhanced).length()).isEqualTo(MpaCodec.FRAME_MAX);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readsBackWhatItWrote(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            MpaFrame frame = anyFrame(random);
            Octets octets = MpaCodec.encode(frame);
            assertThat(MpaCodec.decode(octets.concat(Mpa.pd(random.nextInt(3))), frame.kind()))
                    .isEqualTo(new Complete(frame, octets.length()));
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static MpaFrame anyFrame(SplittableRandom random) {
        Kind kind = random.nextBoolean() ? Kind.REQUEST : Kind.REPLY;
        Flags flags = new Flags(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        if (random.nextBoolean()) {
            return new MpaFrame(kind, flags, random.nextInt(3), Optional.empty(), Mpa.pd(random.nextInt(513)));
        }
        RtrSet rtr = new RtrSet(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        Enhanced words = new Enhanced(random.nextBoolean(), rtr, random.nextInt(0x4000), random.nextInt(0x4000));
        return new MpaFrame(kind, flags, 2, Optional.of(words), Mpa.pd(random.nextInt(509)));
    }

    @Test
    void cannotBeBuiltBeyondWhatTheFieldsHold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Enhanced(true, RtrSet.NONE, 0x4000, 0))
                .withMessage("IRD 16384 / ORD 0 do not fit into 14 bits.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Enhanced(true, RtrSet.NONE, 0, -1))
                .withMessage("IRD 0 / ORD -1 do not fit into 14 bits.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MpaFrame(Kind.REQUEST, C, 3, Optional.empty(), Octets.EMPTY))
                .withMessage("MPA revision 3 is unknown.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MpaFrame(Kind.REQUEST, C, 1, words(true, Mpa.READ, 3, 4), Octets.EMPTY))
                .withMessage("MPA revision 1 has no read depths.");
    }

    private static Optional<Enhanced> words(boolean peerToPeer, RtrSet rtr, int ird, int ord) {
        return Optional.of(new Enhanced(peerToPeer, rtr, ird, ord));
    }

    private static Octets ascii(String text) {
        return Octets.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
