package io.iwcm.nic.wire;

/** Writes a TCP header and its payload (RFC 9293 §3.1); the checksum is left for whoever knows the IP addresses. */
final class TcpWriter {

    static final int CHECKSUM = 16;

    private static final int MSS_OPTION = 0x0204_0000;
    /** A NOP first, so that the option fills four octets. */
    private static final int WINDOW_SCALE_OPTION = 0x0103_0300;

    private TcpWriter() {}

    /** Octets of header and payload. */
    static int length(Segment segment) {
        return headerLength(segment.options()) + segment.payload().length();
    }

    private static int headerLength(TcpOptions options) {
        return TcpReader.HEADER_MIN + (options.hasMss() ? 4 : 0) + (options.hasWindowScale() ? 4 : 0);
    }

    /** Into an array that is zero from {@code at} on. */
    static void write(Segment segment, FlowKey flow, byte[] bytes, int at) {
        int headerLength = headerLength(segment.options());
        BigEndian.putShort(bytes, at, flow.local().port());
        BigEndian.putShort(bytes, at + 2, flow.remote().port());
        BigEndian.putInt(bytes, at + 4, segment.seq().value());
        BigEndian.putInt(bytes, at + 8, segment.ack().value());
        bytes[at + 12] = (byte) (headerLength << 2);
        bytes[at + 13] = (byte) segment.flags();
        BigEndian.putShort(bytes, at + 14, segment.window());
        writeOptions(segment.options(), bytes, at + TcpReader.HEADER_MIN);
        segment.payload().copyTo(bytes, at + headerLength);
    }

    private static void writeOptions(TcpOptions options, byte[] bytes, int from) {
        int at = from;
        if (options.hasMss()) {
            BigEndian.putInt(bytes, at, MSS_OPTION | options.mss());
            at += 4;
        }
        if (options.hasWindowScale()) {
            BigEndian.putInt(bytes, at, WINDOW_SCALE_OPTION | options.windowScale());
        }
    }
}
