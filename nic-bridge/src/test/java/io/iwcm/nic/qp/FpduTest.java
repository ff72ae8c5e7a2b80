package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Octets;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** FPDUs as RFC 5044 §4 has them: length, pad, CRC and markers, both ways. */
class FpduTest {

    private static final int EMSS = 1460;

    @Test
    void firstPublishedVectorOfRfc5044() {
        FpduWriter writer = new FpduWriter(true, true, EMSS);

        Octets fpdu = writer.frame(publishedUlpdu(1));

        assertThat(fpdu.toHex())
                .isEqualTo("00000000" + "002a" + "4143" + "00000000" + "00000000" + "00000001" + "00000000"
                        + "00".repeat(24) + "52239983");
        assertThat(found(true, fpdu)).containsExactly(new FpduReader.Fpdu(publishedUlpdu(1)));
    }

    @Test
    void secondPublishedVectorOfRfc5044WithAMarkerInside() {
        FpduWriter writer = new FpduWriter(true, true, EMSS);
        Octets before = writer.frame(Octets.wrap(new byte[482]));
        assertThat(before.length()).isEqualTo(512 - 0x14);

        Octets fpdu = writer.frame(publishedUlpdu(2));

        assertThat(fpdu.toHex())
                .isEqualTo("002a" + "4143" + "00000000" + "00000000" + "00000002" + "00000000" + "00000014"
                        + "00".repeat(24) + "84925898");
        assertThat(found(true, before.concat(fpdu)))
                .hasSize(2)
                .last()
                .isEqualTo(new FpduReader.Fpdu(publishedUlpdu(2)));
    }

    @Test
    void withoutTheLeadingMarkerThePublishedCrcIsAnother() {
        Octets fpdu = new FpduWriter(false, true, EMSS).frame(publishedUlpdu(1));

        assertThat(fpdu.from(fpdu.length() - 4).toHex()).isEqualTo("b7243ec3");
    }

    private static Octets publishedUlpdu(int msn) {
        return DdpSegment.untagged(DdpSegment.SEND, 0, msn, Octets.wrap(new byte[24]))
                .octets();
    }

    @Test
    void leavesTheCrcFieldZeroAndUncheckedWhenNotInUse() {
        Octets fpdu = new FpduWriter(false, false, EMSS).frame(Octets.ofHex("aabbcc"));
        assertThat(fpdu.toHex()).isEqualTo("0003aabbcc00000000000000");

        FpduReader reader = new FpduReader(false, false);
        reader.feed(Octets.ofHex("0003aabbcc000000deadbeef"));
        assertThat(reader.next()).isEqualTo(new FpduReader.Fpdu(Octets.ofHex("aabbcc")));
    }

    @ParameterizedTest
    @CsvSource({
        "1460, false, 1454",
        "1461, false, 1454",
        "1462, false, 1454",
        "1463, false, 1454",
        "1464, false, 1458",
        "1460, true, 1442",
        "8960, false, 8954",
        "536, false, 530",
        "536, true, 522",
        "88, false, 128",
        "0, true, 128",
    })
    void mulpduIsWhatFitsASegment(int emss, boolean markers, int mulpdu) {
        assertThat(Mpa.mulpdu(emss, markers)).isEqualTo(mulpdu);
        if (emss > 200) {
            FpduWriter writer = new FpduWriter(markers, true, emss);
            for (int i = 0; i < 300; i++) { // Wherever the markers fall.
                assertThat(writer.frame(Octets.wrap(new byte[mulpdu])).length()).isLessThanOrEqualTo(emss);
                writer.frame(Octets.EMPTY);
            }
        }
    }

    /** The reader against streams of the writer, cut at random, and the writer against markers taken out by counting. */
    @ParameterizedTest
    @MethodSource("seeds")
    void streamsSurviveAnyCutWithMarkersWhereTheyBelong(long seed) {
        Random random = new Random(seed);
        FpduWriter writer = new FpduWriter(true, true, 60_000);
        List<Octets> ulpdus = new ArrayList<>();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (int i = 0; i < 60; i++) {
            byte[] ulpdu = new byte[random.nextInt(10) == 0 ? random.nextInt(5000) : random.nextInt(700)];
            random.nextBytes(ulpdu);
            ulpdus.add(Octets.wrap(ulpdu));
            sent.writeBytes(writer.frame(ulpdus.getLast()).toBytes());
        }
        assertThat(withoutMarkers(sent.toByteArray())).isEqualTo(ulpdus);

        FpduReader reader = new FpduReader(true, true);
        List<FpduReader.Found> found = new ArrayList<>();
        byte[] wire = sent.toByteArray();
        for (int at = 0; at < wire.length; ) {
            int cut = Math.min(wire.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 1500));
            reader.feed(Octets.wrap(wire, at, cut));
            at += cut;
            for (FpduReader.Found next = reader.next();
                    next != FpduReader.Incomplete.INCOMPLETE;
                    next = reader.next()) {
                found.add(next);
            }
        }
        assertThat(found).isEqualTo(ulpdus.stream().map(FpduReader.Fpdu::new).toList());
        assertThat(reader.insideFpdu()).isFalse();
    }

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    /** An independent reading: counts to 512, checks the pointer, then reads plain FPDUs; CRCs are left to the reader. */
    private static List<Octets> withoutMarkers(byte[] wire) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        List<Integer> places = new ArrayList<>();
        List<Integer> pointers = new ArrayList<>();
        List<Integer> wireAt = new ArrayList<>();
        for (int at = 0; at < wire.length; at++) {
            if (at % 512 == 0) {
                places.add(at);
                pointers.add((wire[at + 2] & 0xff) << 8 | (wire[at + 3] & 0xff));
                at += 3;
            } else {
                wireAt.add(at);
                plain.write(wire[at]);
            }
        }
        byte[] fpdus = plain.toByteArray();
        List<Octets> ulpdus = new ArrayList<>();
        int next = 0;
        for (int at = 0; at < fpdus.length; ) {
            int length = (fpdus[at] & 0xff) << 8 | (fpdus[at + 1] & 0xff);
            int end = at + (2 + length + 3) / 4 * 4 + 4;
            while (next < places.size() && places.get(next) < wireAt.get(end - 1)) {
                assertThat(pointers.get(next)).isEqualTo(Math.max(0, places.get(next) - wireAt.get(at)));
                next++;
            }
            ulpdus.add(Octets.wrap(fpdus, at + 2, length));
            at = end;
        }
        assertThat(next).isEqualTo(places.size());
        return ulpdus;
    }

    @Test
    void anyFlippedBitIsABadCrc() {
        byte[] good = new FpduWriter(false, true, EMSS).frame(publishedUlpdu(1)).toBytes();
        for (int bit = 16; bit < good.length * 8; bit++) { // Past the length field, which decides where the CRC is.
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(found(false, Octets.wrap(bad))).containsExactly(FpduReader.Bad.CRC);
        }
    }

    @Test
    void aMarkerWithAGoodCrcThatPointsElsewhereIsBad() {
        // The second vector's neighbour: same FPDU, marker 0x18, and the CRC that belongs to it.
        FpduWriter writer = new FpduWriter(true, false, EMSS);
        byte[] wire = writer.frame(Octets.wrap(new byte[482]))
                .concat(writer.frame(publishedUlpdu(2)))
                .toBytes();
        FpduReader unchecked = new FpduReader(true, false);
        wire[515] = 0x18;
        unchecked.feed(Octets.wrap(wire));
        assertThat(unchecked.next()).isInstanceOf(FpduReader.Fpdu.class);
        assertThat(unchecked.next()).isEqualTo(FpduReader.Bad.MARKER);
    }

    @Test
    void doesNotLookAtAMarkersReservedAndLowBits() {
        byte[] wire = new FpduWriter(true, false, EMSS).frame(publishedUlpdu(1)).toBytes();
        wire[0] = -1;
        wire[1] = -1;
        wire[3] = 3;
        FpduReader reader = new FpduReader(true, false);
        reader.feed(Octets.wrap(wire));
        assertThat(reader.next()).isEqualTo(new FpduReader.Fpdu(publishedUlpdu(1)));
    }

    @Test
    void holdsTheLargestFpdu() {
        byte[] ulpdu = new byte[0xffff];
        new Random(1).nextBytes(ulpdu);
        FpduReader reader = new FpduReader(false, false);
        reader.feed(Octets.ofHex("ffff").concat(Octets.wrap(ulpdu)).concat(Octets.wrap(new byte[2])));
        assertThat(reader.next()).isEqualTo(FpduReader.Incomplete.INCOMPLETE);
        assertThat(reader.insideFpdu()).isTrue();
        reader.feed(Octets.wrap(new byte[5]));
        assertThat(reader.next()).isEqualTo(new FpduReader.Fpdu(Octets.wrap(ulpdu)));
    }

    private static List<FpduReader.Found> found(boolean markers, Octets stream) {
        FpduReader reader = new FpduReader(markers, true);
        reader.feed(stream);
        List<FpduReader.Found> found = new ArrayList<>();
        FpduReader.Found next = reader.next();
        while (next instanceof FpduReader.Fpdu) {
            found.add(next);
            next = reader.next();
        }
        if (next instanceof FpduReader.Bad) {
            found.add(next);
        }
        return found;
    }
}
