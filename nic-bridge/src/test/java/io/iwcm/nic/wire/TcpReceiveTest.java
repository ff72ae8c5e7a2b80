package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.OURS;
import static io.iwcm.nic.wire.RawFrames.OUR_V4;
import static io.iwcm.nic.wire.RawFrames.OUR_V6;
import static io.iwcm.nic.wire.RawFrames.PEER;
import static io.iwcm.nic.wire.RawFrames.PEER_V4;
import static io.iwcm.nic.wire.RawFrames.PEER_V6;
import static io.iwcm.nic.wire.RawFrames.TCP_V4;
import static io.iwcm.nic.wire.RawFrames.cut;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.ipv4;
import static io.iwcm.nic.wire.RawFrames.ipv6;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.resealedTcp;
import static io.iwcm.nic.wire.RawFrames.segment;
import static io.iwcm.nic.wire.RawFrames.tagged;
import static io.iwcm.nic.wire.RawFrames.tcpV4;
import static io.iwcm.nic.wire.RawFrames.tcpV6;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TcpReceiveTest {

    private static final byte[] NONE = new byte[0];
    private static final byte[] ABCD = hex("41424344");

    @Test
    void tellsEverythingFromOurSide() {
        byte[] frame = with(tcpV4(Segment.PSH | Segment.ACK, NONE, ABCD), RawFrames.IP + 1, 0x28);

        TcpFrame parsed = Expect.tcp(RawFrames.resealedIpv4(frame));

        var flow = new FlowKey(new Endpoint(OUR_V4, 4420), new Endpoint(PEER_V4, 40000), VlanTag.UNTAGGED);
        assertThat(parsed.addressing()).isEqualTo(new TcpFrame.Addressing(OURS, PEER, flow, 0, 0x28));
        assertThat(parsed.segment())
                .isEqualTo(new Segment(
                        new SeqNum(1000),
                        new SeqNum(2000),
                        Segment.PSH | Segment.ACK,
                        512,
                        TcpOptions.NONE,
                        Octets.wrap(ABCD)));
    }

    @Test
    void readsIpv6WithItsTrafficClass() {
        byte[] frame = with(tcpV6(Segment.ACK, NONE, ABCD), RawFrames.IP, 0x62, 0x8f, 0xff, 0xff);

        TcpFrame parsed = Expect.tcp(frame);

        var flow = new FlowKey(new Endpoint(OUR_V6, 4420), new Endpoint(PEER_V6, 40000), VlanTag.UNTAGGED);
        assertThat(parsed.addressing()).isEqualTo(new TcpFrame.Addressing(OURS, PEER, flow, 0, 0x28));
        assertThat(parsed.segment().payload()).isEqualTo(Octets.wrap(ABCD));
    }

    @ParameterizedTest
    @CsvSource({"0x0064, 100, 0", "0xa064, 100, 5", "0x1ffe, 4094, 0", "0xe000, 0, 7", "0x0000, 0, 0", "0xf001, 1, 7"})
    void readsOneTag(String control, int vlan, int priority) {
        TcpFrame parsed = Expect.tcp(tagged(Integer.decode(control), RawFrames.synV6()));

        assertThat(parsed.addressing().flow().vlan()).isEqualTo(vlan);
        assertThat(parsed.addressing().priority()).isEqualTo(priority);
        assertThat(parsed.segment()).isEqualTo(Expect.tcp(RawFrames.synV6()).segment());
    }

    /** RIOT's bug, and RFC 894's minimum: a bare ACK arrives with six octets of padding. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 60, 1400})
    void paddingIsNotData(int octets) {
        byte[] padding = new byte[octets];
        java.util.Arrays.fill(padding, (byte) 0x5a);

        assertThat(FrameParser.parse(join(tcpV4(Segment.ACK, NONE, ABCD), padding)))
                .isEqualTo(FrameParser.parse(tcpV4(Segment.ACK, NONE, ABCD)));
        assertThat(FrameParser.parse(join(tcpV6(Segment.ACK, NONE, ABCD), padding)))
                .isEqualTo(FrameParser.parse(tcpV6(Segment.ACK, NONE, ABCD)));
    }

    @Test
    void aPayloadOfOddLengthIsVerified() {
        assertThat(Expect.tcp(tcpV4(Segment.ACK, NONE, hex("414243"))).segment().payload())
                .isEqualTo(Octets.ofHex("414243"));
    }

    @DisplayName("FC-47: a SYN with ECE and CWR, with PSH or with URG is a SYN")
    @ParameterizedTest
    @ValueSource(ints = {0xc2, 0x42, 0x82, 0x0a, 0x22, 0xea, 0xfa})
    void aDecoratedSynIsASyn(int flags) {
        for (byte[] frame : new byte[][] {tcpV4(flags, NONE, NONE), tcpV6(flags, NONE, NONE)}) {
            Segment segment = Expect.tcp(frame).segment();

            assertThat(segment.syn()).isTrue();
            assertThat(segment.rst()).isFalse();
            assertThat(segment.fin()).isFalse();
            assertThat(segment.flags()).isEqualTo(flags);
        }
    }

    /** Which of the 256 flag octets are segments: judged by ACK, RST, SYN and FIN alone. */
    @Test
    void flagsThatNoSegmentHasAreDropped() {
        Set<Integer> dropped = new TreeSet<>();
        for (int flags = 0; flags < 256; flags++) {
            Parsed parsed = FrameParser.parse(tcpV4(flags, NONE, NONE));
            if (parsed.equals(new Parsed.Dropped(Drop.TCP_BAD_FLAGS))) {
                dropped.add(flags & 0x17);
            } else {
                assertThat(Expect.tcp(parsed).segment().flags()).isEqualTo(flags);
                assertThat(dropped).doesNotContain(flags & 0x17);
            }
        }
        assertThat(dropped).containsExactly(0x00, 0x03, 0x06, 0x07, 0x13, 0x16, 0x17);
    }

    @Test
    void reservedBitsAndTheUrgentPointerAreIgnored() {
        byte[] frame = tcpV4(Segment.ACK, NONE, ABCD);
        byte[] odd = resealedTcp(with(with(frame, TCP_V4 + 12, 0x5f), TCP_V4 + 18, 0xff, 0xff));

        assertThat(FrameParser.parse(odd)).isEqualTo(FrameParser.parse(frame));
    }

    @Test
    void headersMayFillTheWholeSegment() {
        byte[] options = hex("01".repeat(40));

        assertThat(Expect.tcp(tcpV4(Segment.ACK, options, NONE)).segment().payload())
                .isEqualTo(Octets.EMPTY);
        assertThat(Expect.tcp(tcpV4(Segment.ACK, options, ABCD)).segment().payload())
                .isEqualTo(Octets.wrap(ABCD));
    }

    @Test
    void keepsAWindowAndNotACopy() {
        byte[] frame = tcpV4(Segment.ACK, NONE, ABCD);
        Octets payload = Expect.tcp(frame).segment().payload();

        frame[frame.length - 1] = 'E';

        assertThat(payload).isEqualTo(Octets.ofHex("41424345"));
    }

    @DisplayName("RFC 9293 MUST-57, MUST-63: nobody connects from or to these addresses")
    @ParameterizedTest
    @CsvSource({
        "224.0.0.1, 10.0.0.1, IP_BAD_SOURCE",
        "255.255.255.255, 10.0.0.1, IP_BAD_SOURCE",
        "0.0.0.0, 10.0.0.1, IP_BAD_SOURCE",
        "127.0.0.1, 10.0.0.1, IP_BAD_SOURCE",
        "10.0.0.1, 10.0.0.1, IP_BAD_SOURCE",
        "10.0.0.2, 224.0.0.1, IP_BAD_DESTINATION",
        "10.0.0.2, 255.255.255.255, IP_BAD_DESTINATION",
        "10.0.0.2, 0.0.0.0, IP_BAD_DESTINATION",
        "10.0.0.2, 127.0.0.1, IP_BAD_DESTINATION",
        "ff02::1, fd00::1, IP_BAD_SOURCE",
        "::, fd00::1, IP_BAD_SOURCE",
        "::1, fd00::1, IP_BAD_SOURCE",
        "::ffff:10.0.0.2, fd00::1, IP_BAD_SOURCE",
        "fd00::1, fd00::1, IP_BAD_SOURCE",
        "fd00::2, ff02::1, IP_BAD_DESTINATION",
        "fd00::2, ::, IP_BAD_DESTINATION",
        "fd00::2, ::1, IP_BAD_DESTINATION",
        "fd00::2, ::ffff:10.0.0.1, IP_BAD_DESTINATION"
    })
    void impossibleAddressesAreDropped(String source, String destination, Drop why) {
        Expect.dropped(syn(source, destination), why);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "10.0.0.1, 10.0.0.1", "10.0.0.1, 127.0.0.1", "::1, ::1", "fd00::1, fd00::1"})
    void insideTheNicAHostMayTalkToItself(String source, String destination) {
        Parsed parsed = FrameParser.parse(syn(source, destination), Origin.LOOPBACK);

        assertThat(Expect.tcp(parsed).addressing().flow().local().address()).hasToString(destination);
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.1", "0.0.0.0", "255.255.255.255"})
    void evenInsideTheNicASourceIsOneHost(String source) {
        assertThat(FrameParser.parse(syn(source, "10.0.0.1"), Origin.LOOPBACK))
                .isEqualTo(new Parsed.Dropped(Drop.IP_BAD_SOURCE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "33:33:00:00:00:01"})
    void aSynInABroadcastFrameIsDropped(String destination) {
        byte[] frame = RawFrames.synV4();
        BigEndian.putMac(frame, 0, MacAddress.parse(destination));

        Expect.dropped(frame, Drop.IP_BAD_DESTINATION);
    }

    private static byte[] syn(String source, String destination) {
        IpAddress from = IpAddress.parse(source);
        IpAddress to = IpAddress.parse(destination);
        byte[] segment = segment(from, to, Segment.SYN, NONE, NONE);
        return from instanceof Ipv4Address v4
                ? ipv4(v4, (Ipv4Address) to, NONE, RawFrames.TCP, segment)
                : ipv6((Ipv6Address) from, (Ipv6Address) to, 64, RawFrames.TCP, segment);
    }

    @DisplayName("FC-77 (frame part): a frame with an MPA request, cut at every octet")
    @Test
    void anMpaRequestCutAtEveryOctetIsDroppedOrShorter() {
        byte[] request = hex("4d504120 49442052 65712046 72616d65 5002 0008 8004 c003 41424344");
        byte[] whole = tcpV4(Segment.PSH | Segment.ACK, NONE, request);
        for (int length = 0; length < whole.length; length++) {
            assertThat(FrameParser.parse(cut(whole, 0, length))).isInstanceOf(Parsed.Dropped.class);
        }
        for (int length = 0; length <= request.length; length++) {
            byte[] part = cut(request, 0, length);
            assertThat(Expect.tcp(tcpV4(Segment.PSH | Segment.ACK, NONE, part))
                            .segment()
                            .payload())
                    .isEqualTo(Octets.wrap(part));
        }
    }
}
