package io.iwcm.nic.link;

/**
 * One record of a capture file.
 *
 * @param epochNs when it passed, nanoseconds since 1970; 0 where the file does not say (pcapng simple packets)
 * @param linkType what the octets begin with, by the registry of link types: 1 is Ethernet
 * @param octets what was kept of it
 * @param lengthOctets how long it was on the wire
 */
public record PcapFrame(long epochNs, int linkType, byte[] octets, int lengthOctets) {

    /** Whether the capture kept only the beginning. */
    public boolean truncated() {
        return octets.length < lengthOctets;
    }
}
