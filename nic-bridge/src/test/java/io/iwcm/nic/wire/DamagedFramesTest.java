package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.cut;
import static io.iwcm.nic.wire.RawFrames.hex;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames cut at every octet and damaged at every bit. */
class DamagedFramesTest {

    private static final byte[] OPTIONS = hex("020405b4 0402 080a0000000100000000 01 030307");
    private static final byte[] DATA = hex("4d504120 49442052 65712046 72616d65 40010000");
    private static final byte[] V4 = RawFrames.tcpV4(Segment.PSH | Segment.ACK, OPTIONS, DATA);
    private static final byte[] V6 = RawFrames.tcpV6(Segment.PSH | Segment.ACK, OPTIONS, DATA);
    private static final byte[] ND = RawFrames.icmpv6(
            RawFrames.join(hex("88 00 0000 60000000"), RawFrames.PEER_V6.toBytes(), hex("0201 020000000002")));
    private static final byte[] ARP =
            RawFrames.ethernet(0x0806, hex("0001 0800 06 04 0001 020000000002 0a000002 000000000000 0a000001"));
    private static final byte[] PING = RawFrames.icmp(hex("08 00 0000 1234 0007 70696e67 21"));
    private static final byte[] EXTENDED = RawFrames.ipv6(
            0,
            RawFrames.join(
                    hex("3c00010400000000 2b00010400000000 0600000000000000"),
                    RawFrames.segment(RawFrames.PEER_V6, RawFrames.OUR_V6, Segment.SYN, OPTIONS, DATA)));

    static Stream<byte[]> valid() {
        return Stream.of(V4, V6, ND, ARP, PING, EXTENDED, RawFrames.tagged(0x6064, V4), RawFrames.tagged(0x6064, V6));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void everyPrefixIsDroppedByName(byte[] frame) {
        assertThat(FrameParser.parse(frame)).isNotInstanceOf(Parsed.Dropped.class);
        for (int length = 0; length < frame.length; length++) {
            Parsed parsed = FrameParser.parse(cut(frame, 0, length));
            assertThat(parsed).as("%s octets", length).isInstanceOf(Parsed.Dropped.class);
            assertThat(((Parsed.Dropped) parsed).why()).isNotEqualTo(Drop.NONE);
        }
    }

    /** All but the two MAC addresses, whose group bits alone are looked at. */
    @Test
    void everyDamagedBitOfAnIpv4SegmentIsNoticed() {
        Set<Integer> expected = new TreeSet<>();
        addOctets(expected, 0, 12);
        expected.remove(bit(0, 0));
        expected.remove(bit(6, 0));

        assertThat(unnoticed(V4)).isEqualTo(expected);
    }

    /** Besides the MAC addresses: traffic class, flow label and hop limit, which no checksum covers. */
    @Test
    void everyDamagedBitOfAnIpv6SegmentThatCountsIsNoticed() {
        Set<Integer> expected = new TreeSet<>();
        addOctets(expected, 0, 12);
        expected.remove(bit(0, 0));
        expected.remove(bit(6, 0));
        for (int low = 0; low < 4; low++) {
            expected.add(bit(RawFrames.IP, low));
        }
        addOctets(expected, RawFrames.IP + 1, 3);
        addOctets(expected, RawFrames.IP + 7, 1);

        assertThat(unnoticed(V6)).isEqualTo(expected);
    }

    /** A tag has no checksum either: only the FCS, which is gone by now, covers it. */
    @Test
    void aDamagedTagMovesTheFrameToAnotherVlan() {
        Set<Integer> expected = new TreeSet<>();
        addOctets(expected, 0, 12);
        expected.remove(bit(0, 0));
        expected.remove(bit(6, 0));
        addOctets(expected, 14, 2);

        assertThat(unnoticed(RawFrames.tagged(0x6064, V4))).isEqualTo(expected);
    }

    /** Bits whose change leaves a TCP segment; of that, only what is not covered may differ. */
    private static Set<Integer> unnoticed(byte[] frame) {
        TcpFrame whole = Expect.tcp(frame);
        Set<Integer> unnoticed = new TreeSet<>();
        for (int at = 0; at < frame.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] damaged = RawFrames.with(frame, at, frame[at] ^ 1 << bit);
                if (FrameParser.parse(damaged) instanceof Parsed.Tcp(TcpFrame parsed)) {
                    unnoticed.add(bit(at, bit));
                    assertThat(parsed.segment()).isEqualTo(whole.segment());
                    FlowKey flow = parsed.addressing().flow();
                    FlowKey wholeFlow = whole.addressing().flow();
                    assertThat(flow.local()).isEqualTo(wholeFlow.local());
                    assertThat(flow.remote()).isEqualTo(wholeFlow.remote());
                }
            }
        }
        return unnoticed;
    }

    private static void addOctets(Set<Integer> bits, int at, int count) {
        for (int bit = 8 * at; bit < 8 * (at + count); bit++) {
            bits.add(bit);
        }
    }

    /** Bit 0 is an octet's lowest. */
    private static int bit(int at, int bit) {
        return 8 * at + bit;
    }
}
