package io.iwcm.nic.wire;

/** Reads a TCP segment (RFC 9293 §3.1). */
final class TcpReader {

    static final int HEADER_MIN = 20;

    private static final int OPTION_END = 0;
    private static final int OPTION_NOP = 1;
    private static final int OPTION_MSS = 2;
    private static final int OPTION_WINDOW_SCALE = 3;
    private static final int MSS_LENGTH = 4;
    private static final int WINDOW_SCALE_LENGTH = 3;

    private TcpReader() {}

    static Parsed read(Frame frame, IpPacket ip) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        Drop fault = fault(frame, ip);
        if (fault != Drop.NONE) {
            return Parsed.Dropped.of(fault);
        }
        int headerLength = headerLength(bytes, at);
        var segment = new Segment(
                new SeqNum(BigEndian.intAt(bytes, at + 4)),
                new SeqNum(BigEndian.intAt(bytes, at + 8)),
                BigEndian.octetAt(bytes, at + 13),
                BigEndian.shortAt(bytes, at + 14),
                headerLength == HEADER_MIN ? TcpOptions.NONE : options(bytes, at + HEADER_MIN, at + headerLength),
                Octets.wrap(bytes, at + headerLength, ip.length() - headerLength));
        EthernetHeader ethernet = frame.ethernet();
        var flow = new FlowKey(
                new Endpoint(ip.destination(), BigEndian.shortAt(bytes, at + 2)),
                new Endpoint(ip.source(), BigEndian.shortAt(bytes, at)),
                ethernet.tag().id());
        var addressing = new TcpFrame.Addressing(
                ethernet.destination(), ethernet.source(), flow, ethernet.tag().priority(), ip.trafficClass());
        return new Parsed.Tcp(new TcpFrame(addressing, segment));
    }

    /** Bounds before everything else: after {@link Drop#NONE} header and payload lie within the packet. */
    private static Drop fault(Frame frame, IpPacket ip) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        if (ip.length() < HEADER_MIN) {
            return Drop.TCP_TRUNCATED;
        }
        int headerLength = headerLength(bytes, at);
        if (headerLength < HEADER_MIN || headerLength > ip.length()) {
            return Drop.TCP_BAD_OFFSET;
        }
        if (frame.ethernet().destination().isGroup() || ip.isImpossibleTcpDestination(frame.origin())) {
            return Drop.IP_BAD_DESTINATION;
        }
        // One address at both ends is the receiver's own (RFC 9293 MUST-63), which nobody else may send from.
        if (frame.origin() == Origin.WIRE && ip.source().equals(ip.destination())) {
            return Drop.IP_BAD_SOURCE;
        }
        if (!ip.isIntact(bytes)) {
            return Drop.TCP_BAD_CHECKSUM;
        }
        if (BigEndian.shortAt(bytes, at) == 0 || BigEndian.shortAt(bytes, at + 2) == 0) {
            return Drop.TCP_BAD_PORT;
        }
        return isPossible(BigEndian.octetAt(bytes, at + 13)) ? Drop.NONE : Drop.TCP_BAD_FLAGS;
    }

    private static int headerLength(byte[] bytes, int at) {
        return (BigEndian.octetAt(bytes, at + 12) & 0xf0) >>> 2;
    }

    /** PSH, URG and the two ECN bits say nothing here: a SYN with them is a SYN. */
    private static boolean isPossible(int flags) {
        boolean syn = (flags & Segment.SYN) != 0;
        return syn
                ? (flags & (Segment.RST | Segment.FIN)) == 0
                : (flags & (Segment.ACK | Segment.RST | Segment.FIN)) != 0;
    }

    /** RFC 9293 §3.1, MUST-6, MUST-7: each turn moves on by at least one octet, so 40 turns are the most. */
    private static TcpOptions options(byte[] bytes, int from, int end) {
        int mss = TcpOptions.ABSENT;
        int windowScale = TcpOptions.ABSENT;
        int at = from;
        while (at < end) {
            int kind = BigEndian.octetAt(bytes, at);
            if (kind == OPTION_END) {
                break;
            }
            if (kind == OPTION_NOP) {
                at++;
                continue;
            }
            int length = end - at < 2 ? 0 : BigEndian.octetAt(bytes, at + 1);
            if (length < 2 || length > end - at || isWrongLength(kind, length)) {
                return new TcpOptions(mss, windowScale, true);
            }
            if (kind == OPTION_MSS) {
                mss = BigEndian.shortAt(bytes, at + 2);
            } else if (kind == OPTION_WINDOW_SCALE) {
                windowScale = BigEndian.octetAt(bytes, at + 2);
            }
            at += length;
        }
        return mss == TcpOptions.ABSENT && windowScale == TcpOptions.ABSENT
                ? TcpOptions.NONE
                : new TcpOptions(mss, windowScale, false);
    }

    private static boolean isWrongLength(int kind, int length) {
        return (kind == OPTION_MSS && length != MSS_LENGTH)
                || (kind == OPTION_WINDOW_SCALE && length != WINDOW_SCALE_LENGTH);
    }
}
