package io.iwcm.nic.codec;

import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;

/**
 * A TCP frame, of which more cross than of anything else: an octet says what there is, and what is as usual is not said. Not
 * the frame's own octets: they are longer, their checksums have been verified already, and what was wrong with its options
 * could not be written again.
 */
final class FrameCodec implements Codec<TcpFrame> {

    static final String FORM = "addressing and segment, 1";

    private static final int LOCAL_V6 = 1;
    private static final int REMOTE_V6 = 2;
    private static final int VLAN = 4;
    private static final int MARKED = 8;
    private static final int OPTIONS = 16;
    private static final int PAYLOAD = 32;
    private static final int ALL = 63;

    @Override
    public void write(TcpFrame frame, Output out) {
        TcpFrame.Addressing addressing = frame.addressing();
        FlowKey flow = addressing.flow();
        Segment segment = frame.segment();
        boolean marked = addressing.priority() != 0 || addressing.trafficClass() != 0;
        boolean options = !segment.options().equals(TcpOptions.NONE);
        out.octet((flow.local().address().isV4() ? 0 : LOCAL_V6)
                | (flow.remote().address().isV4() ? 0 : REMOTE_V6)
                | (flow.vlan() == 0 ? 0 : VLAN)
                | (marked ? MARKED : 0)
                | (options ? OPTIONS : 0)
                | (segment.payload().isEmpty() ? 0 : PAYLOAD));
        write(addressing.localMac(), out);
        write(addressing.remoteMac(), out);
        write(flow.local(), out);
        write(flow.remote(), out);
        if (flow.vlan() != 0) out.signed(flow.vlan());
        if (marked) {
            out.octet(addressing.priority());
            out.octet(addressing.trafficClass());
        }
        out.fixed32(segment.seq().value());
        out.fixed32(segment.ack().value());
        out.octet(segment.flags());
        out.fixed16(segment.window());
        if (options) write(segment.options(), out);
        if (!segment.payload().isEmpty()) out.run(segment.payload());
    }

    @Override
    public TcpFrame read(Input in) {
        int has = in.octet();
        if ((has & ~ALL) != 0) throw new CodecException("a frame has what nobody knows: " + has);
        MacAddress localMac = macAddress(in);
        MacAddress remoteMac = macAddress(in);
        Endpoint local = endpoint(in, (has & LOCAL_V6) != 0);
        Endpoint remote = endpoint(in, (has & REMOTE_V6) != 0);
        FlowKey flow = new FlowKey(local, remote, (has & VLAN) != 0 ? in.signedInt() : 0);
        boolean marked = (has & MARKED) != 0;
        int priority = marked ? in.octet() : 0;
        int trafficClass = marked ? in.octet() : 0;
        SeqNum seq = new SeqNum(in.fixed32());
        SeqNum ack = new SeqNum(in.fixed32());
        int flags = in.octet();
        int window = in.fixed16();
        TcpOptions options = (has & OPTIONS) != 0 ? options(in) : TcpOptions.NONE;
        Octets payload = (has & PAYLOAD) != 0 ? Octets.wrap(in.run()) : Octets.EMPTY;
        return new TcpFrame(
                new TcpFrame.Addressing(localMac, remoteMac, flow, priority, trafficClass),
                new Segment(seq, ack, flags, window, options, payload));
    }

    private static void write(MacAddress address, Output out) {
        out.fixed16((int) (address.bits() >>> Integer.SIZE));
        out.fixed32((int) address.bits());
    }

    private static MacAddress macAddress(Input in) {
        long high = in.fixed16();
        return new MacAddress((high << Integer.SIZE) | Integer.toUnsignedLong(in.fixed32()));
    }

    private static void write(Endpoint endpoint, Output out) {
        switch (endpoint.address()) {
            case Ipv4Address(int bits) -> out.fixed32(bits);
            case Ipv6Address(long high, long low) -> {
                out.fixed64(high);
                out.fixed64(low);
            }
        }
        out.fixed16(endpoint.port());
    }

    private static Endpoint endpoint(Input in, boolean v6) {
        IpAddress address = v6 ? new Ipv6Address(in.fixed64(), in.fixed64()) : new Ipv4Address(in.fixed32());
        return new Endpoint(address, in.fixed16());
    }

    private static void write(TcpOptions options, Output out) {
        out.signed(options.mss());
        out.signed(options.windowScale());
        out.flag(options.malformed());
    }

    private static TcpOptions options(Input in) {
        int mss = in.signedInt();
        int windowScale = in.signedInt();
        return new TcpOptions(mss, windowScale, in.flag());
    }
}
