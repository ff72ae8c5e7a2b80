package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

/** Shorthand for what a parse is expected to give. */
final class Expect {

    private Expect() {}

    static void dropped(byte[] frame, Drop why) {
        assertThat(FrameParser.parse(frame)).isEqualTo(new Parsed.Dropped(why));
    }

    static TcpFrame tcp(byte[] frame) {
        return tcp(FrameParser.parse(frame));
    }

    static TcpFrame tcp(Parsed parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Tcp.class);
        return ((Parsed.Tcp) parsed).frame();
    }

    static TcpOptions options(byte[] frame) {
        return tcp(frame).segment().options();
    }

    /** The frame as its receiver tells it, whose local end is the sender's remote one. */
    static TcpFrame mirrored(TcpFrame frame) {
        TcpFrame.Addressing sent = frame.addressing();
        return new TcpFrame(
                new TcpFrame.Addressing(
                        sent.remoteMac(),
                        sent.localMac(),
                        sent.flow().reversed(),
                        sent.priority(),
                        sent.trafficClass()),
                frame.segment());
    }
}
