package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values to octets, against frames written down by hand. */
class FrameEncoderTest {

    private static final Endpoint OUR_END = new Endpoint(RawFrames.OUR_V4, 4420);
    private static final Endpoint PEER_END = new Endpoint(RawFrames.PEER_V4, 40000);
    private static final Endpoint OUR_END_V6 = new Endpoint(RawFrames.OUR_V6, 4420);
    private static final Endpoint PEER_END_V6 = new Endpoint(RawFrames.PEER_V6, 40000);

    private static TcpFrame frame(FlowKey flow, int priority, int trafficClass, Segment segment) {
        return new TcpFrame(
                new TcpFrame.Addressing(RawFrames.OURS, RawFrames.PEER, flow, priority, trafficClass), segment);
    }

    private static Segment segment(int flags, TcpOptions options, String payload) {
        return new Segment(
                new SeqNum(0x01020304), new SeqNum(0xa0b0c0d0), flags, 0xfffe, options, Octets.ofHex(payload));
    }

    @Test
    void aSynAckOverIpv4() {
        var flow = new FlowKey(OUR_END, PEER_END, 0);
        Segment synAck = segment(Segment.SYN | Segment.ACK, TcpOptions.ofSyn(1460, 7), "");

        byte[] bytes = FrameEncoder.tcp(frame(flow, 0, 0x28, synAck), 0x13b47);

        assertThat(bytes)
                .isEqualTo(hex("020000000002 020000000001 0800"
                        + "45 28 0030 3b47 4000 40 06 eb56 0a000001 0a000002"
                        + "1144 9c40 01020304 a0b0c0d0 70 12 fffe 5cfb 0000 020405b4 01030307"));
    }

    @Test
    void dataOverIpv6() {
        var flow = new FlowKey(OUR_END_V6, PEER_END_V6, 0);
        Segment data = segment(Segment.PSH | Segment.ACK, TcpOptions.NONE, "414243");

        byte[] bytes = FrameEncoder.tcp(frame(flow, 0, 0x28, data), 7);

        byte[] withoutChecksum = hex("020000000002 020000000001 86dd"
                + "62800000 0017 06 80 fd000000000000000000000000000001 fd000000000000000000000000000002"
                + "1144 9c40 01020304 a0b0c0d0 50 18 fffe 0000 0000 414243");
        assertThat(bytes).isEqualTo(RawFrames.resealedTcp(withoutChecksum));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, ''", "0, 5, 8100 a000", "100, 0, 8100 0064", "4094, 7, 8100 effe", "1, 0, 8100 0001"})
    void aTagIsSentForAVlanOrAPriority(int vlan, int priority, String tag) {
        var flow = new FlowKey(OUR_END, PEER_END, vlan);
        Segment ack = segment(Segment.ACK, TcpOptions.NONE, "");

        byte[] bytes = FrameEncoder.tcp(frame(flow, priority, 0, ack), 1);

        byte[] untagged = FrameEncoder.tcp(frame(new FlowKey(OUR_END, PEER_END, 0), 0, 0, ack), 1);
        assertThat(bytes)
                .isEqualTo(RawFrames.join(
                        RawFrames.cut(untagged, 0, 12), hex(tag), RawFrames.cut(untagged, 12, untagged.length)));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, -1, 50, ''",
        "1460, -1, 60, 020405b4",
        "-1, 0, 60, 01030300",
        "-1, 14, 60, 0103030e",
        "65535, 255, 70, 0204ffff 010303ff",
        "0, -1, 50, ''"
    })
    void optionsFillWholeWords(int mss, int scale, String offset, String options) {
        Segment syn = segment(Segment.SYN, new TcpOptions(mss, scale, false), "4142");

        byte[] bytes = FrameEncoder.tcp(frame(new FlowKey(OUR_END, PEER_END, 0), 0, 0, syn), 1);

        assertThat(bytes[RawFrames.TCP_V4 + 12]).isEqualTo(hex(offset)[0]);
        assertThat(RawFrames.cut(bytes, RawFrames.TCP_V4 + 20, bytes.length)).isEqualTo(hex(options + "4142"));
    }

    /** What does not fit a field must not spill into the next one. */
    @Test
    void valuesThatDoNotFitTheirFieldAreRefused() {
        var flow = new FlowKey(OUR_END, PEER_END, 0);
        Segment ack = segment(Segment.ACK, TcpOptions.NONE, "");
        for (int priority : new int[] {-1, 8}) {
            assertThatIllegalArgumentException().isThrownBy(() -> frame(flow, priority, 0, ack));
        }
        for (int trafficClass : new int[] {-1, 256}) {
            assertThatIllegalArgumentException().isThrownBy(() -> frame(flow, 0, trafficClass, ack));
        }
        for (int octet : new int[] {-1, 256}) {
            assertThatIllegalArgumentException().isThrownBy(() -> segment(octet, TcpOptions.NONE, ""));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> TcpOptions.ofSyn(65_536, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> TcpOptions.ofSyn(1460, 256));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Segment(ack.seq(), ack.ack(), 0, 65_536, TcpOptions.NONE, Octets.EMPTY))
                .withMessage("window 65536 is out of range: 0..65535 fit the field");
    }

    @Test
    void shortFramesAreNotPadded() {
        Segment ack = segment(Segment.ACK, TcpOptions.NONE, "");
        assertThat(FrameEncoder.tcp(frame(new FlowKey(OUR_END, PEER_END, 0), 0, 0, ack), 1))
                .hasSize(54);
    }

    /** The whole octet of an IPv6 traffic class, which lies across two octets of the header. */
    @Test
    void everyTrafficClassIsSent() {
        Segment ack = segment(Segment.ACK, TcpOptions.NONE, "");
        for (int trafficClass = 0; trafficClass < 256; trafficClass++) {
            byte[] v6 = FrameEncoder.tcp(frame(new FlowKey(OUR_END_V6, PEER_END_V6, 0), 0, trafficClass, ack), 1);
            assertThat(RawFrames.shortAt(v6, RawFrames.IP)).isEqualTo(0x6000 | trafficClass << 4);
            byte[] v4 = FrameEncoder.tcp(frame(new FlowKey(OUR_END, PEER_END, 0), 0, trafficClass, ack), 1);
            assertThat(v4[RawFrames.IP + 1]).isEqualTo((byte) trafficClass);
        }
    }
}
