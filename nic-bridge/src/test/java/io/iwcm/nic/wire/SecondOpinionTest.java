package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcap4j.packet.ArpPacket.ArpHeader;
import org.pcap4j.packet.Dot1qVlanTagPacket;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IcmpV4CommonPacket;
import org.pcap4j.packet.IcmpV6CommonPacket;
import org.pcap4j.packet.IcmpV6NeighborSolicitationPacket;
import org.pcap4j.packet.IllegalRawDataException;
import org.pcap4j.packet.IpPacket;
import org.pcap4j.packet.IpV4Packet;
import org.pcap4j.packet.IpV4Rfc791Tos;
import org.pcap4j.packet.IpV6Packet;
import org.pcap4j.packet.IpV6SimpleFlowLabel;
import org.pcap4j.packet.IpV6SimpleTrafficClass;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.TcpMaximumSegmentSizeOption;
import org.pcap4j.packet.TcpNoOperationOption;
import org.pcap4j.packet.TcpPacket;
import org.pcap4j.packet.TcpPacket.TcpHeader;
import org.pcap4j.packet.TcpPacket.TcpOption;
import org.pcap4j.packet.TcpSackPermittedOption;
import org.pcap4j.packet.TcpTimestampsOption;
import org.pcap4j.packet.TcpWindowScaleOption;
import org.pcap4j.packet.UnknownPacket;
import org.pcap4j.packet.namednumber.EtherType;
import org.pcap4j.packet.namednumber.IpNumber;
import org.pcap4j.packet.namednumber.IpVersion;
import org.pcap4j.packet.namednumber.TcpPort;

/** pcap4j reads what we write, and we read what pcap4j writes. */
class SecondOpinionTest {

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void pcap4jReadsWhatWeWrite(long seed) throws IllegalRawDataException {
        var generated = new Generated(seed);
        for (int i = 0; i < 500; i++) {
            TcpFrame sent = generated.tcpFrame();
            byte[] bytes = FrameEncoder.tcp(sent, i);

            EthernetPacket read = EthernetPacket.newPacket(bytes, 0, bytes.length);

            TcpFrame.Addressing addressing = sent.addressing();
            assertThat(read.getHeader().getDstAddr())
                    .hasToString(addressing.remoteMac().toString());
            assertThat(read.getHeader().getSrcAddr())
                    .hasToString(addressing.localMac().toString());
            assertTag(read, addressing);
            assertIp(read.get(IpPacket.class), addressing, i);
            assertTcp(read, sent);
        }
    }

    private static void assertTag(EthernetPacket read, TcpFrame.Addressing addressing) {
        Dot1qVlanTagPacket tag = read.get(Dot1qVlanTagPacket.class);
        if (addressing.flow().vlan() == 0 && addressing.priority() == 0) {
            assertThat(tag).isNull();
            return;
        }
        assertThat(tag.getHeader().getVidAsInt()).isEqualTo(addressing.flow().vlan());
        assertThat((int) tag.getHeader().getPriority()).isEqualTo(addressing.priority());
        assertThat(tag.getHeader().getCfi()).isFalse();
    }

    private static void assertIp(IpPacket read, TcpFrame.Addressing addressing, int id) {
        FlowKey flow = addressing.flow();
        assertThat(read.getHeader().getSrcAddr().getAddress())
                .isEqualTo(flow.local().address().toBytes());
        assertThat(read.getHeader().getDstAddr().getAddress())
                .isEqualTo(flow.remote().address().toBytes());
        if (read instanceof IpV4Packet v4) {
            IpV4Packet.IpV4Header header = v4.getHeader();
            assertThat(header.hasValidChecksum(false)).isTrue();
            assertThat(header.getIhlAsInt()).isEqualTo(5);
            assertThat(header.getDontFragmentFlag()).isTrue();
            assertThat(header.getMoreFragmentFlag()).isFalse();
            assertThat(header.getTtlAsInt()).isEqualTo(64);
            assertThat(header.getIdentificationAsInt()).isEqualTo(id);
            assertThat(header.getTos().value()).isEqualTo((byte) addressing.trafficClass());
        } else {
            IpV6Packet.IpV6Header header = ((IpV6Packet) read).getHeader();
            assertThat(header.getHopLimitAsInt()).isEqualTo(128);
            assertThat(header.getFlowLabel().value()).isZero();
            assertThat(header.getTrafficClass().value()).isEqualTo((byte) addressing.trafficClass());
        }
    }

    private static void assertTcp(EthernetPacket read, TcpFrame sent) {
        TcpPacket tcp = read.get(TcpPacket.class);
        IpPacket ip = read.get(IpPacket.class);
        Segment segment = sent.segment();
        TcpHeader header = tcp.getHeader();
        assertThat(tcp.hasValidChecksum(
                        ip.getHeader().getSrcAddr(), ip.getHeader().getDstAddr(), false))
                .isTrue();
        assertThat(header.getSrcPort().valueAsInt())
                .isEqualTo(sent.addressing().flow().local().port());
        assertThat(header.getDstPort().valueAsInt())
                .isEqualTo(sent.addressing().flow().remote().port());
        assertThat(header.getSequenceNumber()).isEqualTo(segment.seq().value());
        assertThat(header.getAcknowledgmentNumber()).isEqualTo(segment.ack().value());
        assertThat(header.getWindowAsInt()).isEqualTo(segment.window());
        assertThat(header.getSyn()).isEqualTo(segment.syn());
        assertThat(header.getFin()).isEqualTo(segment.fin());
        assertThat(header.getRst()).isEqualTo(segment.rst());
        assertThat(header.getAck()).isEqualTo(segment.hasAck());
        assertThat(header.getPsh()).isEqualTo(segment.has(Segment.PSH));
        assertThat(header.getUrg()).isEqualTo(segment.has(Segment.URG));
        int mss = TcpOptions.ABSENT;
        int scale = TcpOptions.ABSENT;
        for (TcpOption option : header.getOptions()) {
            if (option instanceof TcpMaximumSegmentSizeOption read1) {
                mss = read1.getMaxSegSizeAsInt();
            } else if (option instanceof TcpWindowScaleOption read1) {
                scale = read1.getShiftCountAsInt();
            } else {
                assertThat(option).isInstanceOf(TcpNoOperationOption.class);
            }
        }
        assertThat(new TcpOptions(mss, scale, false)).isEqualTo(segment.options());
        byte[] payload =
                tcp.getPayload() == null ? new byte[0] : tcp.getPayload().getRawData();
        assertThat(payload).isEqualTo(segment.payload().toBytes());
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void weReadWhatPcap4jWrites(long seed) {
        var generated = new Generated(seed);
        for (int i = 0; i < 500; i++) {
            TcpFrame sent = generated.tcpFrame();
            byte[] bytes = written(generated, sent).getRawData();

            assertThat(FrameParser.parse(bytes)).isEqualTo(new Parsed.Tcp(Expect.mirrored(sent)));
        }
    }

    /** As pcap4j writes it, with more options in random order around ours, padded to 60 octets by pcap4j. */
    private static Packet written(Generated generated, TcpFrame frame) {
        TcpFrame.Addressing addressing = frame.addressing();
        FlowKey flow = addressing.flow();
        InetAddress from = inet(flow.local().address());
        InetAddress to = inet(flow.remote().address());
        Packet.Builder tcp = tcp(generated, frame, from, to);
        boolean isTagged = flow.vlan() != 0 || addressing.priority() != 0;
        boolean isV4 = flow.local().address().isV4();
        EtherType type = isV4 ? EtherType.IPV4 : EtherType.IPV6;
        Packet.Builder payload = isV4 ? ipv4(addressing, from, to, tcp) : ipv6(addressing, from, to, tcp);
        if (isTagged) {
            payload = new Dot1qVlanTagPacket.Builder()
                    .priority((byte) addressing.priority())
                    .cfi(generated.flip())
                    .vid((short) flow.vlan())
                    .type(type)
                    .payloadBuilder(payload);
        }
        return new EthernetPacket.Builder()
                .dstAddr(mac(addressing.remoteMac()))
                .srcAddr(mac(addressing.localMac()))
                .type(isTagged ? EtherType.DOT1Q_VLAN_TAGGED_FRAMES : type)
                .payloadBuilder(payload)
                .paddingAtBuild(true)
                .build();
    }

    private static Packet.Builder ipv4(
            TcpFrame.Addressing addressing, InetAddress from, InetAddress to, Packet.Builder payload) {
        return new IpV4Packet.Builder()
                .version(IpVersion.IPV4)
                .tos(IpV4Rfc791Tos.newInstance((byte) addressing.trafficClass()))
                .ttl((byte) 17)
                .protocol(IpNumber.TCP)
                .srcAddr((Inet4Address) from)
                .dstAddr((Inet4Address) to)
                .payloadBuilder(payload)
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true);
    }

    private static Packet.Builder ipv6(
            TcpFrame.Addressing addressing, InetAddress from, InetAddress to, Packet.Builder payload) {
        return new IpV6Packet.Builder()
                .version(IpVersion.IPV6)
                .trafficClass(IpV6SimpleTrafficClass.newInstance((byte) addressing.trafficClass()))
                .flowLabel(IpV6SimpleFlowLabel.newInstance(0x12345))
                .nextHeader(IpNumber.TCP)
                .hopLimit((byte) 17)
                .srcAddr((Inet6Address) from)
                .dstAddr((Inet6Address) to)
                .payloadBuilder(payload)
                .correctLengthAtBuild(true);
    }

    private static Packet.Builder tcp(Generated generated, TcpFrame frame, InetAddress from, InetAddress to) {
        Segment segment = frame.segment();
        var payload = new UnknownPacket.Builder().rawData(segment.payload().toBytes());
        return new TcpPacket.Builder()
                .srcPort(TcpPort.getInstance(
                        (short) frame.addressing().flow().local().port()))
                .dstPort(TcpPort.getInstance(
                        (short) frame.addressing().flow().remote().port()))
                .sequenceNumber(segment.seq().value())
                .acknowledgmentNumber(segment.ack().value())
                .reserved((byte) (segment.flags() >>> 6 & 3))
                .urg(segment.has(Segment.URG))
                .ack(segment.hasAck())
                .psh(segment.has(Segment.PSH))
                .rst(segment.rst())
                .syn(segment.syn())
                .fin(segment.fin())
                .window((short) segment.window())
                .options(options(generated, segment.options()))
                .srcAddr(from)
                .dstAddr(to)
                .payloadBuilder(segment.payload().isEmpty() ? null : payload)
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true)
                .paddingAtBuild(true);
    }

    private static List<TcpOption> options(Generated generated, TcpOptions options) {
        List<TcpOption> all = new ArrayList<>();
        if (options.hasMss()) {
            all.add(new TcpMaximumSegmentSizeOption.Builder()
                    .maxSegSize((short) options.mss())
                    .correctLengthAtBuild(true)
                    .build());
        }
        if (options.hasWindowScale()) {
            all.add(
                    generated.below(all.size() + 1),
                    new TcpWindowScaleOption.Builder()
                            .shiftCount((byte) options.windowScale())
                            .correctLengthAtBuild(true)
                            .build());
        }
        if (generated.flip()) {
            all.add(generated.below(all.size() + 1), TcpSackPermittedOption.getInstance());
        }
        if (generated.flip()) {
            all.add(
                    generated.below(all.size() + 1),
                    new TcpTimestampsOption.Builder()
                            .tsValue(generated.below(1 << 30))
                            .correctLengthAtBuild(true)
                            .build());
        }
        for (int nops = generated.below(4); nops > 0; nops--) {
            all.add(generated.below(all.size() + 1), TcpNoOperationOption.getInstance());
        }
        return all;
    }

    @Test
    void pcap4jReadsOurArp() throws IllegalRawDataException {
        var ethernet = new EthernetHeader(MacAddress.BROADCAST, RawFrames.OURS, EthernetHeader.NO_TAG);
        byte[] bytes =
                FrameEncoder.arp(ethernet, ArpPacket.request(RawFrames.OURS, RawFrames.OUR_V4, RawFrames.PEER_V4));

        ArpHeader read = EthernetPacket.newPacket(bytes, 0, bytes.length)
                .get(org.pcap4j.packet.ArpPacket.class)
                .getHeader();

        assertThat(read.getOperation().value()).isEqualTo((short) 1);
        assertThat(read.getSrcHardwareAddr()).hasToString(RawFrames.OURS.toString());
        assertThat(read.getSrcProtocolAddr()).isEqualTo(inet(RawFrames.OUR_V4));
        assertThat(read.getDstProtocolAddr()).isEqualTo(inet(RawFrames.PEER_V4));
    }

    @Test
    void pcap4jReadsOurSolicitation() throws IllegalRawDataException {
        var message = NeighbourMessage.Solicitation.resolve(RawFrames.OURS, RawFrames.OUR_V6, RawFrames.PEER_V6);
        var ethernet =
                new EthernetHeader(MacAddress.ofGroup(message.destination()), RawFrames.OURS, EthernetHeader.NO_TAG);
        byte[] bytes = FrameEncoder.neighbour(ethernet, message);

        EthernetPacket read = EthernetPacket.newPacket(bytes, 0, bytes.length);

        var ip = read.get(IpV6Packet.class).getHeader();
        assertThat(ip.getHopLimitAsInt()).isEqualTo(255);
        assertThat(read.get(IcmpV6CommonPacket.class).hasValidChecksum(ip.getSrcAddr(), ip.getDstAddr(), false))
                .isTrue();
        var solicitation = read.get(IcmpV6NeighborSolicitationPacket.class).getHeader();
        assertThat(solicitation.getTargetAddress()).isEqualTo(inet(RawFrames.PEER_V6));
        assertThat(solicitation.getOptions()).hasSize(1);
        assertThat(solicitation.getOptions().get(0).getRawData()).isEqualTo(RawFrames.hex("0101 020000000001"));
    }

    @Test
    void pcap4jFindsOurEchoesIntact() throws IllegalRawDataException {
        var generated = new Generated(31);
        for (int i = 0; i < 200; i++) {
            Parsed.Echo echo = generated.echo();
            byte[] bytes = FrameEncoder.echo(echo, i);
            EthernetPacket read = EthernetPacket.newPacket(bytes, 0, bytes.length);
            IpPacket.IpHeader ip = read.get(IpPacket.class).getHeader();
            boolean isIntact = echo.source().isV4()
                    ? read.get(IcmpV4CommonPacket.class).hasValidChecksum(false)
                    : read.get(IcmpV6CommonPacket.class)
                            .hasValidChecksum((Inet6Address) ip.getSrcAddr(), (Inet6Address) ip.getDstAddr(), false);
            assertThat(isIntact).isTrue();
        }
    }

    private static org.pcap4j.util.MacAddress mac(MacAddress mac) {
        return org.pcap4j.util.MacAddress.getByName(mac.toString());
    }

    private static InetAddress inet(IpAddress address) {
        return address(address.toString());
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
