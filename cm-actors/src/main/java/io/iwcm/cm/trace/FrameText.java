package io.iwcm.cm.trace;

import io.iwcm.cm.mpa.Decoded;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Frames in words, a line each. Sequence numbers are told relative to the SYN of their direction, as far as it has been
 * seen. Not safe for several threads.
 */
public final class FrameText {

    private static final int REMEMBERED_MAX = 4096;
    private static final String[] RDMAP = {
        "RDMA Write",
        "RDMA Read Request",
        "RDMA Read Response",
        "Send",
        "Send with Invalidate",
        "Send with Solicited Event",
        "Send with Solicited Event and Invalidate",
        "Terminate"
    };

    private static final int READ_REQUEST = 1;
    private static final int TAGGED_HEADER = 14;
    private static final int UNTAGGED_HEADER = 18;

    /** Where RDMARDSZ stands in an FPDU: behind the length, the untagged header, SinkSTag and SinkTO. */
    private static final int READ_SIZE_AT = 2 + UNTAGGED_HEADER + 12;

    /** First sequence number of each direction; the key is the flow as its sender sees it. */
    private final Map<FlowKey, SeqNum> firsts = new HashMap<>();

    /** One line about the frame, without addresses where it is TCP: those are {@link #ends}. */
    public String describe(byte[] frame) {
        return switch (FrameParser.parse(frame)) {
            case Parsed.Tcp(TcpFrame tcp) -> describe(tcp.addressing().flow().reversed(), tcp.segment());
            case Parsed.Arp(var _, var packet) ->
                packet.isGratuitous()
                        ? "ARP " + packet.senderIp() + " is at " + packet.senderMac() + " (unasked)"
                        : switch (packet.operation()) {
                            case REQUEST -> "ARP who has " + packet.targetIp() + "? tell " + packet.senderIp();
                            case REPLY -> "ARP " + packet.senderIp() + " is at " + packet.senderMac();
                        };
            case Parsed.Neighbour(var _, NeighbourMessage.Solicitation solicitation) ->
                "ND who has " + solicitation.target() + "?";
            case Parsed.Neighbour(var _, NeighbourMessage.Advertisement advertisement) ->
                "ND " + advertisement.target() + " is here";
            case Parsed.Echo echo -> "ICMP echo " + (echo.request() ? "request" : "reply");
            case Parsed.IcmpError error -> "ICMP " + words(error.kind()) + " about " + error.quotedFlow();
            case Parsed.Dropped(var why) -> "unusable: " + why.sentence();
        };
    }

    /** Who sends a TCP frame to whom; empty for other frames. */
    public static String ends(byte[] frame) {
        return FrameParser.parse(frame) instanceof Parsed.Tcp(TcpFrame tcp)
                ? tcp.addressing().flow().remote() + " > "
                        + tcp.addressing().flow().local()
                : "";
    }

    /** @param senders the flow as the segment's sender sees it */
    public String describe(FlowKey senders, Segment segment) {
        if (segment.syn()) {
            if (firsts.size() >= REMEMBERED_MAX) firsts.clear();
            firsts.put(senders, segment.seq());
        }
        StringJoiner words = new StringJoiner(" ");
        words.add(flags(segment));
        words.add("seq " + relative(senders, segment.seq()));
        if (segment.hasAck()) words.add("ack " + relative(senders.reversed(), segment.ack()));
        if (!segment.rst()) words.add("win " + segment.window());
        if (segment.options().hasMss()) words.add("mss " + segment.options().mss());
        if (segment.options().hasWindowScale())
            words.add("ws " + segment.options().windowScale());
        if (!segment.payload().isEmpty()) {
            words.add("len " + segment.payload().length());
            words.add("| " + payload(segment.payload()));
        }
        return words.toString();
    }

    /** Octets that are to go out from this number on, in whatever segments. */
    String describe(FlowKey senders, SeqNum from, Octets octets) {
        return "seq " + relative(senders, from) + " len " + octets.length() + " | " + payload(octets);
    }

    /** The direction's first sequence number, where its SYN was not seen. */
    void begin(FlowKey senders, SeqNum first) {
        firsts.putIfAbsent(senders, first);
    }

    /** Counted from the SYN of its direction, if that is known. */
    String relative(FlowKey senders, SeqNum number) {
        SeqNum first = firsts.get(senders);
        return first == null ? number.toString() : Integer.toString(number.minus(first));
    }

    private static String flags(Segment segment) {
        StringJoiner names = new StringJoiner("-");
        if (segment.syn()) names.add("SYN");
        if (segment.fin()) names.add("FIN");
        if (segment.rst()) names.add("RST");
        if (segment.hasAck()) names.add("ACK");
        return names.toString();
    }

    private static String payload(Octets octets) {
        for (MpaFrame.Kind kind : MpaFrame.Kind.values()) {
            switch (MpaCodec.decode(octets, kind)) {
                case Decoded.Complete(MpaFrame frame, int length) -> {
                    String more = length < octets.length() ? " + " + (octets.length() - length) + " octets" : "";
                    return mpa(frame) + more;
                }
                case Decoded.NeedMore _ -> {
                    return "the beginning of an MPA " + words(kind);
                }
                case Decoded.Malformed _ -> {}
            }
        }
        return fpdu(octets);
    }

    /** An MPA frame in words. */
    public static String mpa(MpaFrame frame) {
        StringJoiner words = new StringJoiner(" ");
        words.add("MPA " + words(frame.kind()));
        words.add("rev " + frame.revision());
        if (frame.flags().rejected()) words.add("rejected");
        if (frame.flags().crc()) words.add("crc");
        if (frame.flags().markers()) words.add("markers");
        frame.enhanced().ifPresent(enhanced -> {
            words.add("ird " + depth(enhanced.ird()));
            words.add("ord " + depth(enhanced.ord()));
            if (enhanced.peerToPeer()) words.add("peer-to-peer rtr " + rtr(enhanced.rtr()));
        });
        if (!frame.privateData().isEmpty()) words.add("private data " + privateData(frame.privateData()));
        return words.toString();
    }

    private static String depth(int field) {
        return field == ReadDepths.NOT_NEGOTIATED ? "not negotiated" : Integer.toString(field);
    }

    private static String rtr(RtrSet set) {
        StringJoiner names = new StringJoiner(",");
        names.setEmptyValue("none");
        if (set.send()) names.add("send");
        if (set.write()) names.add("write");
        if (set.read()) names.add("read");
        return names.toString();
    }

    /** As text when it is printable ASCII, else in hex. */
    public static String privateData(Octets octets) {
        byte[] bytes = octets.toBytes();
        for (byte octet : bytes) {
            if (octet < ' ' || octet > '~') return "0x" + octets.toHex();
        }
        return '"' + new String(bytes, StandardCharsets.US_ASCII) + '"';
    }

    /** What the first FPDU in a segment seems to be, when it begins at the segment's start. */
    private static String fpdu(Octets octets) {
        if (octets.length() < 8) return "data";
        int ulpdu = octets.shortAt(0);
        int ddp = octets.at(2);
        int rdmap = octets.at(3);
        boolean plausible = (ddp & 0x03) == 1 && (rdmap >>> 6) == 1 && (rdmap & 0x0f) < RDMAP.length;
        if (!plausible || ulpdu < 14 || ulpdu + 6 > octets.length() + 3) return "data";
        boolean tagged = (ddp & 0x80) != 0;
        boolean empty = ulpdu == (tagged ? TAGGED_HEADER : UNTAGGED_HEADER);
        return "FPDU " + RDMAP[rdmap & 0x0f] + (empty || readsNothing(octets, rdmap & 0x0f) ? ", zero-length" : "");
    }

    /** An RDMA Read Request for no octets: the Read form of the RTR (RFC 5040 §4.4). */
    private static boolean readsNothing(Octets octets, int opcode) {
        return opcode == READ_REQUEST && octets.length() >= READ_SIZE_AT + 4 && octets.intAt(READ_SIZE_AT) == 0;
    }

    private static String words(Enum<?> name) {
        return name.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
