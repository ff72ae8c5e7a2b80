package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.Decoded.Fault;
import io.iwcm.cm.mpa.Decoded.Malformed;
import io.iwcm.cm.mpa.Decoded.NeedMore;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The head of a TCP stream in any number of pieces, honest or not (RFC 5044 §7.1.2). */
class MpaStreamTest {

    static Stream<Octets> validRequests() {
        return Stream.of(
                Mpa.request("40 01 0000"),
                Mpa.request("40 01 0004 41424344"),
                Mpa.request("50 02 0008 8004 c003 41424344"),
                Mpa.request("50 02 0004 0004 0003"),
                Mpa.request("50 02 0004 bfff ffff"),
                Mpa.request("40 02 0008 0102030405060708"),
                Mpa.request("10 01 0002 0102"),
                Mpa.request("50 02 0102 8004 c003").concat(Mpa.pd(254)));
    }

    static Stream<Octets> longRequests() {
        return Stream.of(
                Mpa.request("40 01 0200").concat(Mpa.pd(512)),
                Mpa.request("50 02 0200 8004 c003").concat(Mpa.pd(508)));
    }

    @ParameterizedTest
    @MethodSource({"validRequests", "longRequests"})
    void saysOfEveryPrefixHowMuchIsMissing(Octets frame) {
        for (int have = 0; have < frame.length(); have++) {
            int known = have < MpaCodec.HEADER ? MpaCodec.HEADER : frame.length();
            assertThat(MpaCodec.decode(frame.slice(0, have), Kind.REQUEST)).isEqualTo(new NeedMore(known - have));
        }
    }

    /** FC-01 and FC-02, the decoder's part: waiting is not a failure, and the frame comes up once. */
    @ParameterizedTest
    @ValueSource(strings = {"10 9 4 7", "1 18 1 10", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"})
    void completesOnceAtTheLastOctetHoweverItWasCut(String pieces) {
        Octets frame = Mpa.reply("50 02 000a 8003 4004 616263646566");
        List<Decoded> seen = new ArrayList<>();
        int have = 0;
        for (String piece : pieces.split(" ")) {
            have += Integer.parseInt(piece);
            seen.add(MpaCodec.decode(frame.slice(0, have), Kind.REPLY));
        }

        assertThat(have).isEqualTo(frame.length());
        assertThat(seen.removeLast())
                .isInstanceOfSatisfying(
                        Complete.class,
                        complete -> assertThat(complete.frame().privateData()).isEqualTo(Octets.ofHex("616263646566")));
        assertThat(seen).isNotEmpty().hasOnlyElementsOfType(NeedMore.class);
    }

    @Test
    void leavesWhatFollowsTheFrameAlone() {
        Octets stream = Mpa.request("50 02 0005 8004 c003 aa bbcc");

        assertThat(MpaCodec.decode(stream, Kind.REQUEST)).isInstanceOfSatisfying(Complete.class, complete -> {
            assertThat(complete.length()).isEqualTo(25);
            assertThat(complete.frame().privateData()).isEqualTo(Octets.ofHex("aa"));
        });
    }

    @Test
    void seesAWrongKeyAtItsFirstWrongOctet() {
        Octets frame = Mpa.request("40 01 0000");
        for (int wrong = 0; wrong < 16; wrong++) {
            Octets stream = changed(frame, wrong, 'z').slice(0, wrong + 1);
            assertThat(MpaCodec.decode(stream, Kind.REQUEST)).isEqualTo(new Malformed(Fault.BAD_KEY));
        }
    }

    @Test
    void seesTheOtherKindAtTheOneOctetInWhichItDiffers() {
        assertThat(MpaCodec.decode(Mpa.reply("").slice(0, 9), Kind.REQUEST)).isEqualTo(new NeedMore(11));
        assertThat(MpaCodec.decode(Mpa.reply("").slice(0, 10), Kind.REQUEST))
                .isEqualTo(new Malformed(Fault.WRONG_KIND));
        assertThat(MpaCodec.decode(Mpa.request("").slice(0, 10), Kind.REPLY))
                .isEqualTo(new Malformed(Fault.WRONG_KIND));
        assertThat(MpaCodec.decode(Mpa.request("50 02 0004 8004 c003"), Kind.REPLY))
                .isEqualTo(new Malformed(Fault.WRONG_KIND));
    }

    /** FC-04. */
    @ParameterizedTest
    @CsvSource({
        "50 02 0000, MISSING_READ_DEPTHS",
        "50 02 0003 800400, MISSING_READ_DEPTHS",
        "50 02 0003, MISSING_READ_DEPTHS",
        "40 01 0201, PRIVATE_DATA_TOO_LONG",
        "50 02 0201, PRIVATE_DATA_TOO_LONG",
        "40 01 ffff, PRIVATE_DATA_TOO_LONG",
        "40 01 03, PRIVATE_DATA_TOO_LONG",
        "50 03 0004 8004 c003, UNKNOWN_REVISION",
        "00 03, UNKNOWN_REVISION",
        "00 ff, UNKNOWN_REVISION",
    })
    void decidesOnTheHeaderAlone(String afterKey, Fault fault) {
        assertThat(MpaCodec.decode(Mpa.request(afterKey), Kind.REQUEST)).isEqualTo(new Malformed(fault));
        assertThat(MpaCodec.decode(Mpa.reply(afterKey), Kind.REPLY)).isEqualTo(new Malformed(fault));
    }

    @Test
    void waitsWhereTheLengthMayStillBeLegal() {
        assertThat(MpaCodec.decode(Mpa.request("40 01 02"), Kind.REQUEST)).isEqualTo(new NeedMore(1));
        assertThat(MpaCodec.decode(Mpa.request("40 01 0200"), Kind.REQUEST)).isEqualTo(new NeedMore(512));
        assertThat(MpaCodec.decode(Mpa.request("50 02 00"), Kind.REQUEST)).isEqualTo(new NeedMore(1));
        assertThat(MpaCodec.decode(Mpa.request("40 02 0003"), Kind.REQUEST)).isEqualTo(new NeedMore(3));
    }

    @ParameterizedTest
    @CsvSource({"00", "01"})
    void takesSForAReservedBitBeforeRevision2(String revision) {
        MpaFrame frame = Mpa.requestFrame("50" + revision + "0008 8004c003 41424344");

        assertThat(frame.enhanced()).isEmpty();
        assertThat(frame.privateData()).isEqualTo(Octets.ofHex("8004c00341424344"));
    }

    @Test
    void looksAtNoReservedBit() {
        for (int reserved = 0; reserved < 16; reserved++) {
            assertThat(Mpa.requestFrame("5" + Integer.toHexString(reserved) + "02 0004 8004 c003"))
                    .isEqualTo(Mpa.requestFrame("50 02 0004 8004 c003"));
        }
    }

    static Stream<Octets> allRequests() {
        return Stream.concat(validRequests(), longRequests());
    }

    /** Every octet of every frame to every other value; what must come out is worked out from the layout. */
    @ParameterizedTest
    @MethodSource("allRequests")
    void survivesEverySingleChangedOctet(Octets frame) {
        for (int index = 0; index < frame.length(); index++) {
            for (int value = 0; value < 256; value++) {
                Octets changed = changed(frame, index, value);
                Decoded decoded = MpaCodec.decode(changed, Kind.REQUEST);
                if (index < 16) {
                    same(changed, decoded, expectedOfKey(frame, index, value));
                } else {
                    same(changed, shape(decoded), expectedOfHeader(changed));
                }
                if (index < 24) {
                    sameOnceDecided(changed, decoded);
                }
            }
        }
    }

    /** Plain comparison: it runs a million times. */
    private static void same(Octets stream, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            fail("%s: %s instead of %s", stream.toHex(), actual, expected);
        }
    }

    private static Decoded expectedOfKey(Octets frame, int index, int value) {
        if (value == frame.at(index)) {
            return MpaCodec.decode(frame, Kind.REQUEST);
        }
        return new Malformed(index == 9 && value == 'p' ? Fault.WRONG_KIND : Fault.BAD_KEY);
    }

    /** A second opinion on a stream whose key is right and whose header is whole. */
    private static String expectedOfHeader(Octets stream) {
        int revision = stream.at(17);
        int pdLength = stream.at(18) * 256 + stream.at(19);
        if (revision > 2) {
            return "UNKNOWN_REVISION";
        }
        if (pdLength > 512) {
            return "PRIVATE_DATA_TOO_LONG";
        }
        boolean words = revision == 2 && (stream.at(16) / 16) % 2 == 1;
        if (words && pdLength < 4) {
            return "MISSING_READ_DEPTHS";
        }
        int missing = 20 + pdLength - stream.length();
        return missing > 0
                ? "needs " + missing
                : "length " + (20 + pdLength) + " private data " + (pdLength - (words ? 4 : 0));
    }

    private static String shape(Decoded decoded) {
        return switch (decoded) {
            case Malformed(Fault fault) -> fault.name();
            case NeedMore(int octets) -> "needs " + octets;
            case Complete(MpaFrame frame, int length) ->
                "length " + length + " private data " + frame.privateData().length();
        };
    }

    /** What is decided on a prefix stays decided, so no cut of the stream changes the outcome. */
    private static void sameOnceDecided(Octets stream, Decoded whole) {
        for (int have = Math.min(stream.length(), 24); have >= 0; have--) {
            Decoded early = MpaCodec.decode(stream.slice(0, have), Kind.REQUEST);
            if (!(early instanceof NeedMore(int octets))) {
                same(stream, early, whole);
            } else if (octets < 1 || whole instanceof Complete(MpaFrame _, int length) && have + octets > length) {
                fail("%s: %d of its octets need %d more", stream.toHex(), have, octets);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void survivesRandomStreams(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int complete = 0;
        int malformed = 0;
        for (int i = 0; i < 300; i++) {
            Octets stream = anyStream(random);
            Decoded decoded = MpaCodec.decode(stream, Kind.REQUEST);
            switch (decoded) {
                case NeedMore(int octets) ->
                    assertThat(stream.length() + octets).isBetween(MpaCodec.HEADER, MpaCodec.FRAME_MAX);
                case Complete(MpaFrame frame, int length) -> {
                    complete++;
                    assertThat(length).isBetween(MpaCodec.HEADER, Math.min(stream.length(), MpaCodec.FRAME_MAX));
                    assertThat(MpaCodec.decode(MpaCodec.encode(frame), Kind.REQUEST))
                            .isEqualTo(new Complete(frame, length));
                }
                case Malformed _ -> malformed++;
            }
            sameOnceDecided(stream, decoded);
        }
        assertThat(complete).isPositive();
        assertThat(malformed).isPositive();
    }

    static LongStream seeds() {
        return LongStream.range(100, 120);
    }

    /** Mostly with a good key and a likely header, so that the later checks are reached. */
    private static Octets anyStream(SplittableRandom random) {
        byte[] tail = new byte[random.nextInt(600)];
        random.nextBytes(tail);
        if (tail.length > 3 && random.nextInt(4) > 0) {
            tail[1] = (byte) random.nextInt(4);
            tail[2] = (byte) random.nextInt(3);
        }
        Octets octets = Octets.wrap(tail);
        return random.nextInt(5) == 0 ? octets : Mpa.request("").concat(octets);
    }

    private static Octets changed(Octets frame, int index, int value) {
        byte[] octets = frame.toBytes();
        octets[index] = (byte) value;
        return Octets.wrap(octets);
    }
}
