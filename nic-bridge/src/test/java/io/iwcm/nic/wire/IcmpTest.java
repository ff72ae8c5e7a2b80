package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.OURS;
import static io.iwcm.nic.wire.RawFrames.OUR_V4;
import static io.iwcm.nic.wire.RawFrames.OUR_V6;
import static io.iwcm.nic.wire.RawFrames.PEER;
import static io.iwcm.nic.wire.RawFrames.PEER_V4;
import static io.iwcm.nic.wire.RawFrames.PEER_V6;
import static io.iwcm.nic.wire.RawFrames.cut;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.icmp;
import static io.iwcm.nic.wire.RawFrames.icmpv6;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.tagged;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Parsed.IcmpError.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IcmpTest {

    private static final EthernetHeader TO_US = new EthernetHeader(OURS, PEER, EthernetHeader.NO_TAG);
    private static final byte[] PING_V4 = hex("08 00 0000 1234 0007 70696e67 21");
    private static final byte[] PING_V6 = hex("80 00 0000 1234 0007 70696e67 21");

    /** What we sent: IP header, then 4420 -> 40000 with sequence number 0x01020304. */
    private static final byte[] QUOTED_V4 =
            join(hex("4500 0028 0001 4000 40 06 0000"), OUR_V4.toBytes(), PEER_V4.toBytes(), hex("1144 9c40 01020304"));

    private static final byte[] QUOTED_V6 =
            join(hex("60000000 0014 06 80"), OUR_V6.toBytes(), PEER_V6.toBytes(), hex("1144 9c40 01020304"));

    @Test
    void anEchoRequestIsReadAndAnswered() {
        var echo = (Parsed.Echo) FrameParser.parse(icmp(PING_V4));

        assertThat(echo)
                .isEqualTo(new Parsed.Echo(TO_US, PEER_V4, OUR_V4, true, 0x1234, 7, Octets.ofHex("70696e6721")));
        byte[] answer = FrameEncoder.echo(echo.reply(OURS), 0x0007);
        byte[] sealed = with(PING_V4, 0, 0);
        RawFrames.put16(sealed, 2, RawFrames.checksum(sealed));
        byte[] expected = RawFrames.ipv4(OUR_V4, PEER_V4, new byte[0], RawFrames.ICMP, sealed);
        BigEndian.putMac(expected, 0, PEER);
        BigEndian.putMac(expected, 6, OURS);
        assertThat(answer).isEqualTo(expected);
    }

    @Test
    void anIpv6EchoRequestIsReadAndAnswered() {
        var echo = (Parsed.Echo) FrameParser.parse(icmpv6(PING_V6));

        assertThat(echo)
                .isEqualTo(new Parsed.Echo(TO_US, PEER_V6, OUR_V6, true, 0x1234, 7, Octets.ofHex("70696e6721")));
        byte[] expected = icmpv6(OUR_V6, PEER_V6, 128, with(PING_V6, 0, 129));
        BigEndian.putMac(expected, 0, PEER);
        BigEndian.putMac(expected, 6, OURS);
        assertThat(FrameEncoder.echo(echo.reply(OURS), 0)).isEqualTo(expected);
    }

    @Test
    void anEchoReplyIsRead() {
        assertThat(((Parsed.Echo) FrameParser.parse(icmp(with(PING_V4, 0, 0)))).request())
                .isFalse();
        assertThat(((Parsed.Echo) FrameParser.parse(icmpv6(with(PING_V6, 0, 129)))).request())
                .isFalse();
    }

    @Test
    void anEmptyEchoIsAnEcho() {
        assertThat(((Parsed.Echo) FrameParser.parse(icmp(cut(PING_V4, 0, 8)))).data())
                .isEqualTo(Octets.EMPTY);
        assertThat(((Parsed.Echo) FrameParser.parse(icmpv6(cut(PING_V6, 0, 8)))).data())
                .isEqualTo(Octets.EMPTY);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 0, 00000000, UNREACHABLE, 0, false",
        "3, 1, 00000000, UNREACHABLE, 0, false",
        "3, 2, 00000000, UNREACHABLE, 0, true",
        "3, 3, 00000000, UNREACHABLE, 0, true",
        "3, 4, 00000514, PACKET_TOO_BIG, 1300, false",
        "3, 4, ffff0000, PACKET_TOO_BIG, 0, false",
        "3, 5, 00000000, UNREACHABLE, 0, false",
        "3, 13, 00000000, UNREACHABLE, 0, false",
        "11, 0, 00000000, TIME_EXCEEDED, 0, false",
        "11, 3, 00000000, TIME_EXCEEDED, 0, false",
        "12, 2, 14000000, PARAMETER_PROBLEM, 0, false"
    })
    void errorsQuoteTheSegmentAsWeSentIt(int type, int code, String rest, Kind kind, int mtu, boolean hard) {
        byte[] message = join(new byte[] {(byte) type, (byte) code, 0, 0}, hex(rest), QUOTED_V4);
        var flow = new FlowKey(new Endpoint(OUR_V4, 4420), new Endpoint(PEER_V4, 40000), 0);

        var error = (Parsed.IcmpError) FrameParser.parse(icmp(message));

        assertThat(error)
                .isEqualTo(new Parsed.IcmpError(TO_US, PEER_V4, kind, code, mtu, flow, new SeqNum(0x01020304)));
        assertThat(error.isHard()).isEqualTo(hard);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 00000000, UNREACHABLE, 0, false",
        "1, 1, 00000000, UNREACHABLE, 0, false",
        "1, 3, 00000000, UNREACHABLE, 0, false",
        "1, 4, 00000000, UNREACHABLE, 0, true",
        "2, 0, 00000500, PACKET_TOO_BIG, 1280, false",
        "2, 0, ffffffff, PACKET_TOO_BIG, 2147483647, false",
        "3, 0, 00000000, TIME_EXCEEDED, 0, false",
        "4, 1, 00000028, PARAMETER_PROBLEM, 0, false",
        "4, 4, 00000028, PARAMETER_PROBLEM, 0, false"
    })
    void ipv6ErrorsQuoteTheSegmentAsWeSentIt(int type, int code, String rest, Kind kind, int mtu, boolean hard) {
        byte[] message = join(new byte[] {(byte) type, (byte) code, 0, 0}, hex(rest), QUOTED_V6);
        var flow = new FlowKey(new Endpoint(OUR_V6, 4420), new Endpoint(PEER_V6, 40000), 0);

        var error = (Parsed.IcmpError) FrameParser.parse(icmpv6(message));

        assertThat(error)
                .isEqualTo(new Parsed.IcmpError(TO_US, PEER_V6, kind, code, mtu, flow, new SeqNum(0x01020304)));
        assertThat(error.isHard()).isEqualTo(hard);
    }

    @Test
    void theQuotedFlowIsOnTheVlanOfTheError() {
        byte[] message = join(hex("03 03 0000 00000000"), QUOTED_V4);

        var error = (Parsed.IcmpError) FrameParser.parse(tagged(0x0064, icmp(message)));

        assertThat(error.quotedFlow().vlan()).isEqualTo(100);
    }

    @Test
    void optionsInTheQuotedHeaderAreSkipped() {
        byte[] quoted = join(with(cut(QUOTED_V4, 0, 20), 0, 0x47), hex("0101010101010100"), cut(QUOTED_V4, 20, 28));

        var error = (Parsed.IcmpError) FrameParser.parse(icmp(join(hex("03 03 0000 00000000"), quoted)));

        assertThat(error.quotedFlow().local().port()).isEqualTo(4420);
        assertThat(error.quotedSeq()).isEqualTo(new SeqNum(0x01020304));
    }

    @Test
    void quotesThatAreTooShortAreMalformed() {
        for (int length = 0; length < QUOTED_V4.length; length++) {
            byte[] message = join(hex("03 03 0000 00000000"), cut(QUOTED_V4, 0, length));
            Expect.dropped(icmp(message), Drop.ICMP_MALFORMED);
        }
        for (int length = 0; length < QUOTED_V6.length; length++) {
            byte[] message = join(hex("01 04 0000 00000000"), cut(QUOTED_V6, 0, length));
            Expect.dropped(icmpv6(message), Drop.ICMP_MALFORMED);
        }
    }

    @Test
    void quotesOfAnotherKindAreNotUsed() {
        byte[] head = hex("03 03 0000 00000000");
        Expect.dropped(icmp(join(head, with(QUOTED_V4, 9, 17))), Drop.ICMP_UNUSED);
        Expect.dropped(icmp(join(head, with(QUOTED_V4, 6, 0x20, 0x01))), Drop.ICMP_UNUSED);
        Expect.dropped(icmp(join(head, with(QUOTED_V4, 0, 0x65))), Drop.ICMP_MALFORMED);
        Expect.dropped(icmp(join(head, with(QUOTED_V4, 0, 0x44))), Drop.ICMP_MALFORMED);
        byte[] head6 = hex("01 04 0000 00000000");
        Expect.dropped(icmpv6(join(head6, with(QUOTED_V6, 6, 17))), Drop.ICMP_UNUSED);
        Expect.dropped(icmpv6(join(head6, with(QUOTED_V6, 0, 0x45))), Drop.ICMP_MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 9, 10, 13, 255})
    void typesThatNobodyReadsAreNotUsed(int type) {
        Expect.dropped(icmp(join(with(hex("00000000 00000000"), 0, type), QUOTED_V4)), Drop.ICMP_UNUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 127, 130, 131, 133, 134, 137, 143, 255})
    void ipv6TypesThatNobodyReadsAreNotUsed(int type) {
        byte[] message = with(PING_V6, 0, type);
        Expect.dropped(icmpv6(message), Drop.ICMP_UNUSED);
        Expect.dropped(icmpv6(new Ipv6Address(0, 0), OUR_V6, 255, message), Drop.ICMP_UNUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 128, 129})
    void nobodyPingsOrComplainsWithoutAnAddress(int type) {
        byte[] message = join(with(hex("00000000 00000000"), 0, type), QUOTED_V6);
        Expect.dropped(icmpv6(new Ipv6Address(0, 0), OUR_V6, 255, message), Drop.IP_BAD_SOURCE);
    }

    @Test
    void damageIsNoticed() {
        byte[] v4 = icmp(PING_V4);
        byte[] v6 = icmpv6(PING_V6);
        Expect.dropped(with(v4, v4.length - 1, 0x20), Drop.ICMP_BAD_CHECKSUM);
        Expect.dropped(with(v6, v6.length - 1, 0x20), Drop.ICMP_BAD_CHECKSUM);
        // Without the pseudo header, which only ICMPv6 has.
        byte[] unsealed = PING_V6.clone();
        RawFrames.put16(unsealed, 2, RawFrames.checksum(unsealed));
        Expect.dropped(RawFrames.ipv6(RawFrames.ICMPV6, unsealed), Drop.ICMP_BAD_CHECKSUM);
    }

    @Test
    void headersCutShortAreMalformed() {
        for (int length = 0; length < 8; length++) {
            Expect.dropped(icmp4(cut(PING_V4, 0, length)), Drop.ICMP_MALFORMED);
            Expect.dropped(RawFrames.ipv6(RawFrames.ICMPV6, cut(PING_V6, 0, length)), Drop.ICMP_MALFORMED);
        }
    }

    private static byte[] icmp4(byte[] message) {
        return RawFrames.ipv4(RawFrames.ICMP, message);
    }
}
