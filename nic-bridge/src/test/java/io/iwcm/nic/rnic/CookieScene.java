package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.A;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;

/** What scenes about cookies have in common: one peer, one SYN, and an RNIC whose cookies are good for a second at least. */
final class CookieScene {

    static final String[] ADDRESSES = {"10.0.0.1/24", "fd00::1/64", "10.1.0.1/24@100"};
    static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    static final TcpOptions USUAL = TcpOptions.ofSyn(1460, 7);
    static final SeqNum ISN = seq(1000);

    private CookieScene() {}

    /** Cookies that are good for a second at least. */
    static RnicConfig.Cookies cookies(CookieMode mode, int perSecond) {
        return new RnicConfig.Cookies(mode, RnicRig.SECOND, perSecond);
    }

    /** The TCP frames that were sent since the last time, told from our side. */
    static List<TcpFrame> sent(RnicRig rig) {
        List<TcpFrame> frames = new ArrayList<>();
        for (byte[] bytes : rig.takeSent()) {
            if (FrameParser.parse(bytes) instanceof Parsed.Tcp(TcpFrame(TcpFrame.Addressing a, Segment segment))) {
                frames.add(new TcpFrame(
                        new TcpFrame.Addressing(
                                a.remoteMac(), a.localMac(), a.flow().reversed(), a.priority(), a.trafficClass()),
                        segment));
            }
        }
        return frames;
    }

    static RnicRig rig(CookieMode mode, int perSecond) {
        RnicRig rig = new RnicRig(RnicRig.quiet(ADDRESSES), new SoftDevice(), cookies(mode, perSecond));
        rig.order(new NicControl.Attach(0, A));
        rig.take();
        return rig;
    }

    static Segment syn(SeqNum isn, TcpOptions options) {
        return new Segment(isn, seq(0), Segment.SYN, 8192, options, Octets.EMPTY);
    }

    static Segment answer(int flags, SeqNum isn, SeqNum cookie, String data) {
        return new Segment(
                isn.plus(1),
                cookie.plus(1),
                flags,
                300,
                TcpOptions.NONE,
                Octets.wrap(data.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    static Segment ack(SeqNum isn, SeqNum cookie) {
        return answer(Segment.ACK, isn, cookie, "");
    }

    /** Sends a SYN and gives the number of the SYN-ACK that must come. */
    static SeqNum cookieFor(RnicRig rig, FlowKey flow) {
        sent(rig);
        rig.receive(flow, syn(ISN, USUAL));
        List<TcpFrame> sent = sent(rig);
        rig.take();
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst().segment().flags()).isEqualTo(Segment.SYN | Segment.ACK);
        return sent.getFirst().segment().seq();
    }

    static FlowKey peer(int number) {
        return flow("10.0.0.1:5000", "10.0.0.2:" + (33_000 + number));
    }
}
