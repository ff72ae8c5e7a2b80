package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is encoded and parsed again is what it was, told from the other side. */
class RoundTripTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void tcp(long seed) {
        var generated = new Generated(seed);
        for (int i = 0; i < 2000; i++) {
            TcpFrame sent = generated.tcpFrame();
            byte[] frame = FrameEncoder.tcp(sent, i);
            assertThat(FrameParser.parse(frame)).isEqualTo(new Parsed.Tcp(Expect.mirrored(sent)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void arpNeighboursAndEchoes(long seed) {
        var generated = new Generated(seed);
        for (int i = 0; i < 1000; i++) {
            EthernetHeader ethernet = generated.ethernet();
            ArpPacket arp = generated.arp();
            NeighbourMessage neighbour = generated.neighbour();
            Parsed.Echo echo = generated.echo();

            assertThat(FrameParser.parse(FrameEncoder.arp(ethernet, arp))).isEqualTo(new Parsed.Arp(ethernet, arp));
            assertThat(FrameParser.parse(FrameEncoder.neighbour(ethernet, neighbour)))
                    .isEqualTo(new Parsed.Neighbour(ethernet, neighbour));
            assertThat(FrameParser.parse(FrameEncoder.echo(echo, i))).isEqualTo(echo);
        }
    }

    @Test
    void theLargestSegmentsFitAndNoLarger() {
        Segment v4 = withPayload(65_535 - 20 - 28);
        Segment v6 = withPayload(65_535 - 28);
        var generated = new Generated(7);
        var flow4 = new FlowKey(generated.endpoint(true), generated.endpoint(true), 0);
        var flow6 = new FlowKey(generated.endpoint(false), generated.endpoint(false), 0);

        for (TcpFrame frame : new TcpFrame[] {frame(flow4, v4), frame(flow6, v6)}) {
            assertThat(FrameParser.parse(FrameEncoder.tcp(frame, 0))).isEqualTo(new Parsed.Tcp(Expect.mirrored(frame)));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameEncoder.tcp(frame(flow4, withPayload(65_535 - 20 - 27)), 0))
                .withMessage("65536 octets do not fit an IP packet");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameEncoder.tcp(frame(flow6, withPayload(65_535 - 27)), 0))
                .withMessage("65536 octets do not fit an IP packet");
    }

    private static TcpFrame frame(FlowKey flow, Segment segment) {
        return new TcpFrame(new TcpFrame.Addressing(RawFrames.OURS, RawFrames.PEER, flow, 0, 0), segment);
    }

    private static Segment withPayload(int length) {
        return new Segment(
                new SeqNum(1),
                new SeqNum(2),
                Segment.ACK,
                3,
                TcpOptions.ofSyn(1460, 2),
                Octets.wrap(new Generated(9).octets(length)));
    }
}
