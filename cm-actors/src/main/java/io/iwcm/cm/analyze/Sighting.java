package io.iwcm.cm.analyze;

import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;

/**
 * One TCP segment as the capture shows it.
 *
 * @param stamp which frame, and when
 * @param path from where to where
 * @param header its TCP header
 * @param payload its payload, as far as it was captured
 */
record Sighting(Stamp stamp, Path path, Header header, Payload payload) {

    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int RST = 0x04;
    static final int ACK = 0x10;

    /**
     * The addressing.
     *
     * @param source the sender
     * @param destination the receiver
     * @param vlan VLAN ids outermost first, joined by dots; empty for none
     */
    record Path(Endpoint source, Endpoint destination, String vlan) {
        Path reversed() {
            return new Path(destination, source, vlan);
        }
    }

    /** What is used of the TCP header. */
    record Header(SeqNum seq, SeqNum ack, int flags, int window, SynOptions options) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }

        /** Opens a connection: SYN without ACK. */
        boolean opens() {
            return has(SYN) && !has(ACK);
        }

        boolean answersSyn() {
            return has(SYN) && has(ACK);
        }
    }

    /**
     * What a SYN or SYN-ACK announces.
     *
     * @param mss as announced, -1 for none
     * @param windowScale as announced, -1 for none
     * @param malformed an option's length is impossible
     */
    record SynOptions(int mss, int windowScale, boolean malformed) {
        static final SynOptions NONE = new SynOptions(-1, -1, false);
    }

    /**
     * The payload.
     *
     * @param octets what the capture kept of it, from its beginning
     * @param lengthOctets how long it was on the wire
     * @param checksum whether the TCP checksum is right
     */
    record Payload(Octets octets, int lengthOctets, Checksum checksum) {}

    /** What the TCP checksum says. */
    enum Checksum {
        RIGHT,
        /** Only the pseudo header's part: the sender's NIC computes the rest after the capture. */
        OFFLOADED,
        WRONG,
        /** The capture cut the segment. */
        UNKNOWN
    }
}
