package io.iwcm.cm.analyze;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.Octets;

/**
 * Finds the TCP segment in a recorded frame. Unlike a receiver it takes what a capture distorts: frames cut by the snapshot
 * length, checksums left to the NIC, loopback addresses, stacked VLAN tags, segments larger than any packet.
 */
final class FrameDecoder {

    private static final int LINK_NULL = 0, LINK_ETHERNET = 1, LINK_RAW = 101, LINK_LOOP = 108, LINK_COOKED = 113;
    private static final int LINK_IPV4 = 228, LINK_IPV6 = 229, LINK_COOKED_2 = 276;
    private static final int TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd;
    private static final int VLAN_TAGS_MAX = 4;
    private static final int VLAN_ID = 0xfff;
    private static final int MORE_FRAGMENTS_OR_OFFSET = 0x3fff;
    private static final int PROTOCOL_TCP = 6;
    private static final int HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, AUTHENTICATION = 51, DESTINATION_OPTIONS = 60;
    private static final int EXTENSIONS_MAX = 16;
    private static final int FRAGMENT_OFFSET_OR_MORE = 0xfff9;

    private final PcapFrame frame;
    private final Octets octets;
    private final Stamp stamp;
    private final StringBuilder vlans = new StringBuilder();

    private FrameDecoder(PcapFrame frame, Stamp stamp) {
        this.frame = frame;
        this.octets = Octets.wrap(frame.octets());
        this.stamp = stamp;
    }

    /** What a frame turned out to be. */
    sealed interface Decoded {}

    /** A TCP segment. */
    record Tcp(Sighting sighting) implements Decoded {}

    /** Nothing for us. */
    record Skipped(Skip why) implements Decoded {}

    static Decoded decode(PcapFrame frame, Stamp stamp) {
        return new FrameDecoder(frame, stamp).link();
    }

    static boolean reads(int linkType) {
        return switch (linkType) {
            case LINK_NULL, LINK_ETHERNET, LINK_RAW, LINK_LOOP, LINK_COOKED, LINK_IPV4, LINK_IPV6, LINK_COOKED_2 ->
                true;
            default -> false;
        };
    }

    private Decoded link() {
        return switch (frame.linkType()) {
            case LINK_ETHERNET -> typed(12, 14);
            case LINK_COOKED -> typed(14, 16);
            case LINK_COOKED_2 -> typed(0, 20);
            case LINK_RAW, LINK_IPV4, LINK_IPV6 -> byVersion(0);
            case LINK_NULL, LINK_LOOP -> byVersion(4);
            default -> new Skipped(Skip.LINK_TYPE);
        };
    }

    private Decoded byVersion(int at) {
        if (octets.length() <= at) {
            return new Skipped(Skip.CUT_BEFORE_TCP);
        }
        return switch (octets.at(at) >>> 4) {
            case 4 -> ipv4(at);
            case 6 -> ipv6(at);
            default -> new Skipped(Skip.OTHER_PROTOCOL);
        };
    }

    private Decoded typed(int typeAt, int payloadAt) {
        int at = payloadAt;
        if (octets.length() < at) {
            return new Skipped(Skip.CUT_BEFORE_TCP);
        }
        int type = octets.shortAt(typeAt);
        for (int tags = 0; isVlan(type); tags++) {
            if (tags == VLAN_TAGS_MAX) {
                return new Skipped(Skip.VLAN_DEPTH);
            }
            if (octets.length() < at + 4) {
                return new Skipped(Skip.CUT_BEFORE_TCP);
            }
            int id = octets.shortAt(at) & VLAN_ID;
            if (id != 0) { // VID 0 is a priority tag: no VLAN.
                vlans.append(vlans.isEmpty() ? "" : ".").append(id);
            }
            type = octets.shortAt(at + 2);
            at += 4;
        }
        return switch (type) {
            case TYPE_IPV4 -> ipv4(at);
            case TYPE_IPV6 -> ipv6(at);
            default -> new Skipped(Skip.OTHER_PROTOCOL);
        };
    }

    private static boolean isVlan(int type) {
        return type == 0x8100 || type == 0x88a8 || type == 0x9100 || type == 0x9200;
    }

    private Decoded ipv4(int at) {
        if (octets.length() < at + 20) {
            return new Skipped(frame.truncated() ? Skip.CUT_BEFORE_TCP : Skip.MALFORMED);
        }
        int headerLength = (octets.at(at) & 0xf) << 2;
        int totalLength = octets.shortAt(at + 2);
        if (totalLength == 0) { // A segment for the NIC to cut, larger than the field can say.
            totalLength = frame.lengthOctets() - at;
        }
        if (octets.at(at) >>> 4 != 4 || headerLength < 20 || totalLength < headerLength) {
            return new Skipped(Skip.MALFORMED);
        }
        if (octets.at(at + 9) != PROTOCOL_TCP) {
            return new Skipped(Skip.NOT_TCP);
        }
        if ((octets.shortAt(at + 6) & MORE_FRAGMENTS_OR_OFFSET) != 0) {
            return new Skipped(Skip.FRAGMENT);
        }
        var source = new Ipv4Address(octets.intAt(at + 12));
        var destination = new Ipv4Address(octets.intAt(at + 16));
        return tcp(at + headerLength, at + totalLength, source, destination);
    }

    private Decoded ipv6(int at) {
        if (octets.length() < at + 40) {
            return new Skipped(frame.truncated() ? Skip.CUT_BEFORE_TCP : Skip.MALFORMED);
        }
        if (octets.at(at) >>> 4 != 6) {
            return new Skipped(Skip.MALFORMED);
        }
        int payloadLength = octets.shortAt(at + 4);
        int end = payloadLength == 0 ? frame.lengthOctets() : at + 40 + payloadLength;
        var source = ipv6At(at + 8);
        var destination = ipv6At(at + 24);
        int type = octets.at(at + 6);
        int next = at + 40;
        for (int walked = 0; type != PROTOCOL_TCP; walked++) {
            if (type != HOP_BY_HOP
                    && type != ROUTING
                    && type != FRAGMENT
                    && type != AUTHENTICATION
                    && type != DESTINATION_OPTIONS) {
                return new Skipped(Skip.NOT_TCP);
            }
            if (walked == EXTENSIONS_MAX || end - next < 8) {
                return new Skipped(Skip.MALFORMED);
            }
            if (octets.length() < next + 8) {
                return new Skipped(Skip.CUT_BEFORE_TCP);
            }
            if (type == FRAGMENT && (octets.shortAt(next + 2) & FRAGMENT_OFFSET_OR_MORE) != 0) {
                return new Skipped(Skip.FRAGMENT);
            }
            int units = type == FRAGMENT ? 1 : octets.at(next + 1) + 1;
            int length = type == AUTHENTICATION ? (octets.at(next + 1) + 2) * 4 : units * 8;
            type = octets.at(next);
            next += length;
        }
        return tcp(next, end, source, destination);
    }

    private Ipv6Address ipv6At(int at) {
        return new Ipv6Address(longAt(at), longAt(at + 8));
    }

    private long longAt(int at) {
        return (long) octets.intAt(at) << 32 | Integer.toUnsignedLong(octets.intAt(at + 4));
    }

    /** @param end where the IP packet ends, which may lie behind what was captured */
    private Decoded tcp(int at, int end, IpAddress source, IpAddress destination) {
        if (octets.length() < at + 20 || end < at + 20) {
            return new Skipped(end < at + 20 ? Skip.MALFORMED : Skip.CUT_BEFORE_TCP);
        }
        int headerLength = (octets.at(at + 12) & 0xf0) >>> 2;
        if (headerLength < 20 || headerLength > end - at) {
            return new Skipped(Skip.MALFORMED);
        }
        if (octets.length() < at + headerLength) {
            return new Skipped(Skip.CUT_BEFORE_TCP);
        }
        int captured = Math.min(end, octets.length());
        var header = TcpHeaders.read(octets.slice(at, headerLength));
        var path = new Sighting.Path(
                new Endpoint(source, octets.shortAt(at)),
                new Endpoint(destination, octets.shortAt(at + 2)),
                vlans.toString());
        var checksum = captured < end
                ? Sighting.Checksum.UNKNOWN
                : TcpHeaders.check(octets.slice(at, end - at), source, destination);
        int payloadAt = at + headerLength;
        Octets kept = octets.slice(payloadAt, captured - payloadAt);
        return new Tcp(new Sighting(stamp, path, header, new Sighting.Payload(kept, end - payloadAt, checksum)));
    }
}
