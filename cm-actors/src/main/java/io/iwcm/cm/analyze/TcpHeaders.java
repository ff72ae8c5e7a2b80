package io.iwcm.cm.analyze;

import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;

/** Reads TCP headers and judges TCP checksums (RFC 9293 §3.1), for people who look at what was sent. */
final class TcpHeaders {

    private static final int FLAGS = 13, WINDOW = 14, CHECKSUM = 16, HEADER_MIN = 20;
    private static final int OPTION_END = 0, OPTION_NOP = 1, OPTION_MSS = 2, OPTION_WINDOW_SCALE = 3;
    private static final int PROTOCOL = 6;

    private TcpHeaders() {}

    /** @param header a whole header, options included */
    static Sighting.Header read(Octets header) {
        int flags = header.at(FLAGS);
        boolean syn = (flags & Sighting.SYN) != 0;
        return new Sighting.Header(
                new SeqNum(header.intAt(4)),
                new SeqNum(header.intAt(8)),
                flags,
                header.shortAt(WINDOW),
                syn ? options(header) : Sighting.SynOptions.NONE);
    }

    /** Each turn moves on by at least one octet. */
    private static Sighting.SynOptions options(Octets header) {
        int mss = -1;
        int windowScale = -1;
        int at = HEADER_MIN;
        while (at < header.length() && header.at(at) != OPTION_END) {
            if (header.at(at) == OPTION_NOP) {
                at++;
                continue;
            }
            int length = at + 1 < header.length() ? header.at(at + 1) : 0;
            if (length < 2 || length > header.length() - at) {
                return new Sighting.SynOptions(mss, windowScale, true);
            }
            if (header.at(at) == OPTION_MSS && length == 4) {
                mss = header.shortAt(at + 2);
            } else if (header.at(at) == OPTION_WINDOW_SCALE && length == 3) {
                windowScale = header.at(at + 2);
            }
            at += length;
        }
        return new Sighting.SynOptions(mss, windowScale, false);
    }

    /** @param segment a whole segment */
    static Sighting.Checksum check(Octets segment, IpAddress source, IpAddress destination) {
        long addresses = sum(Octets.wrap(source.toBytes())) + sum(Octets.wrap(destination.toBytes())) + PROTOCOL;
        long all = addresses + segment.length() + sum(segment);
        if (fold(all) == 0xffff) {
            return Sighting.Checksum.RIGHT;
        }
        int field = segment.shortAt(CHECKSUM);
        // With segmentation offload the length is left out too.
        return field == fold(addresses + segment.length()) || field == fold(addresses)
                ? Sighting.Checksum.OFFLOADED
                : Sighting.Checksum.WRONG;
    }

    private static long sum(Octets octets) {
        long sum = 0;
        int even = octets.length() & ~1;
        for (int i = 0; i < even; i += 2) {
            sum += octets.shortAt(i);
        }
        return even < octets.length() ? sum + (octets.at(even) << 8) : sum;
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) folded;
    }
}
