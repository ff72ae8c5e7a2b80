package io.iwcm.cm.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameTextTest {

    private static final MacAddress A = MacAddress.parse("02:00:00:00:00:0a");
    private static final MacAddress B = MacAddress.parse("02:00:00:00:00:0b");
    private static final FlowKey FLOW = new FlowKey(
            new Endpoint(IpAddress.parse("10.0.0.1"), 40000), new Endpoint(IpAddress.parse("10.0.0.2"), 4420), 0);

    private final FrameText text = new FrameText();

    private static byte[] frame(FlowKey flow, int seq, int ack, int flags, TcpOptions options, Octets payload) {
        Segment segment = new Segment(new SeqNum(seq), new SeqNum(ack), flags, 512, options, payload);
        return FrameEncoder.tcp(new TcpFrame(new TcpFrame.Addressing(A, B, flow, 0, 0), segment), 1);
    }

    private static Octets octets(String ascii) {
        return Octets.wrap(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void numbersAreRelativeToTheSynOfTheirDirection() {
        byte[] syn = frame(FLOW, -3, 0, Segment.SYN, TcpOptions.ofSyn(1460, 2), Octets.EMPTY);
        byte[] synAck = frame(FLOW.reversed(), 900, -2, Segment.SYN | Segment.ACK, TcpOptions.NONE, Octets.EMPTY);
        byte[] ack = frame(FLOW, -2, 901, Segment.ACK, TcpOptions.NONE, Octets.EMPTY);

        assertThat(text.describe(syn)).isEqualTo("SYN seq 0 win 512 mss 1460 ws 2");
        assertThat(text.describe(synAck)).isEqualTo("SYN-ACK seq 0 ack 1 win 512");
        assertThat(text.describe(ack)).isEqualTo("ACK seq 1 ack 1 win 512");
        assertThat(FrameText.ends(ack)).isEqualTo("10.0.0.1:40000 > 10.0.0.2:4420");
    }

    @Test
    void mpaFrameIsToldWithWhatItSays() {
        MpaFrame request = new MpaFrame(
                MpaFrame.Kind.REQUEST,
                new MpaFrame.Flags(false, true, false),
                2,
                Optional.of(new MpaFrame.Enhanced(true, RtrSet.WRITE_OR_READ, 8, 0x3fff)),
                octets("hello"));
        Octets bytes = MpaCodec.encode(request);

        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, bytes)))
                .endsWith("len 29 | MPA request rev 2 crc ird 8 ord not negotiated peer-to-peer rtr write,read"
                        + " private data \"hello\"");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, bytes.slice(0, 9))))
                .endsWith("| the beginning of an MPA request");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, bytes.concat(Octets.ofHex("0001")))))
                .endsWith("\"hello\" + 2 octets");
    }

    @Test
    void zeroLengthReadRequestIsRecognisedAndJunkIsData() {
        Octets readRequest = Octets.ofHex("002e4141" + "00".repeat(44) + "00000000");
        Octets readOfOne = Octets.ofHex("002e4141" + "00".repeat(31) + "01" + "00".repeat(16));
        Octets zeroSend = Octets.ofHex("00124143" + "00".repeat(16) + "00000000");

        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, readRequest)))
                .endsWith("| FPDU RDMA Read Request, zero-length");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, readOfOne)))
                .endsWith("| FPDU RDMA Read Request");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, zeroSend)))
                .endsWith("| FPDU Send, zero-length");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, octets("just some text"))))
                .endsWith("| data");
        assertThat(text.describe(frame(FLOW, 1, 1, Segment.ACK, TcpOptions.NONE, octets("short"))))
                .endsWith("| data");
    }

    @Test
    void arpAndUnusableFramesAreTold() {
        byte[] who = FrameEncoder.arp(
                new EthernetHeader(MacAddress.BROADCAST, A, EthernetHeader.NO_TAG),
                ArpPacket.request(A, Ipv4Address.parse("10.0.0.1"), Ipv4Address.parse("10.0.0.2")));

        byte[] unasked = FrameEncoder.arp(
                new EthernetHeader(MacAddress.BROADCAST, A, EthernetHeader.NO_TAG),
                ArpPacket.announcement(A, Ipv4Address.parse("10.0.0.1")));

        assertThat(text.describe(who)).isEqualTo("ARP who has 10.0.0.2? tell 10.0.0.1");
        assertThat(text.describe(unasked)).isEqualTo("ARP 10.0.0.1 is at 02:00:00:00:00:0a (unasked)");
        assertThat(text.describe(new byte[3])).isEqualTo("unusable: shorter than an Ethernet header");
        assertThat(FrameText.ends(who)).isEmpty();
    }

    @Test
    void privateDataThatIsNotTextIsHex() {
        assertThat(FrameText.privateData(Octets.ofHex("00ff"))).isEqualTo("0x00ff");
        assertThat(FrameText.privateData(octets("ok"))).isEqualTo("\"ok\"");
    }
}
