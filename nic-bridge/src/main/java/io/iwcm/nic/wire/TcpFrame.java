package io.iwcm.nic.wire;

/**
 * A TCP segment with its addressing, as it came off or goes onto the wire.
 *
 * @param addressing Ethernet and IP facts
 * @param segment the segment
 */
public record TcpFrame(Addressing addressing, Segment segment) {

    /**
     * Ethernet and IP facts of a frame, always told from our side: {@code flow.local()} is us whether the frame is
     * received or sent.
     *
     * @param localMac our MAC address (destination of a received frame)
     * @param remoteMac the next hop's MAC address (source of a received frame)
     * @param flow both endpoints and the VLAN
     * @param priority 802.1Q PCP 0..7; a frame with VLAN 0 and priority over 0 is sent with a priority tag
     * @param trafficClass IPv4 TOS or IPv6 traffic class, 0..255
     */
    public record Addressing(MacAddress localMac, MacAddress remoteMac, FlowKey flow, int priority, int trafficClass) {

        public Addressing {
            if (priority < 0 || priority > 7) {
                throw new IllegalArgumentException("VLAN priority " + priority + " is out of range: 0..7 are allowed");
            }
            if (trafficClass < 0 || trafficClass > 0xff) {
                throw new IllegalArgumentException(
                        "traffic class " + trafficClass + " is out of range: 0..255 are allowed");
            }
        }
    }
}
