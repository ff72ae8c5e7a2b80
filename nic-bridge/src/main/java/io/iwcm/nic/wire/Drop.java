package io.iwcm.nic.wire;

/** Why a received frame was not used. Every reason is one counter; {@link #NONE} is none. */
public enum Drop {
    NONE("used"),
    ETH_TRUNCATED("shorter than an Ethernet header"),
    ETH_BAD_SOURCE("source MAC is a group address"),
    ETH_NOT_FOR_US("destination MAC is neither ours nor a group we joined"),
    ETH_UNKNOWN_TYPE("EtherType that nobody here reads"),
    VLAN_TRUNCATED("802.1Q tag cut short"),
    VLAN_STACKED("more than one 802.1Q tag, or a service tag"),
    VLAN_RESERVED("VID 4095"),
    ARP_MALFORMED("ARP packet cut short or not Ethernet/IPv4"),
    ARP_UNUSED("ARP operation other than request and reply"),
    ARP_INVALID("ARP sender that no host may be: group, zero or loopback address"),
    IPV4_TRUNCATED("shorter than an IPv4 header"),
    IPV4_BAD_VERSION("version field is not 4"),
    IPV4_BAD_HEADER_LENGTH("IHL under 5 or past the packet"),
    IPV4_BAD_TOTAL_LENGTH("total length under the header or past the frame"),
    IPV4_BAD_CHECKSUM("IPv4 header checksum"),
    IPV4_FRAGMENT("IPv4 fragment"),
    IPV6_TRUNCATED("shorter than an IPv6 header"),
    IPV6_BAD_VERSION("version field is not 6"),
    IPV6_BAD_PAYLOAD_LENGTH("payload length past the frame"),
    IPV6_BAD_EXTENSION("extension header cut short or out of place"),
    IPV6_BAD_OPTION("IPv6 option that RFC 8200 says to discard the packet for"),
    IPV6_ROUTED("IPv6 routing header with segments left"),
    IPV6_EXTENSION_LIMIT("more extension headers than are walked"),
    IPV6_FRAGMENT("IPv6 fragment header"),
    IP_BAD_SOURCE(
            "source address is multicast, broadcast, unspecified, or on a wire loopback or the destination itself"),
    IP_BAD_DESTINATION("TCP to a broadcast, multicast or unspecified address, or on a wire to loopback"),
    IP_UNKNOWN_PROTOCOL("IP protocol that nobody here reads"),
    ICMP_MALFORMED("ICMP or ICMPv6 message cut short, or its quoted packet"),
    ICMP_BAD_CHECKSUM("ICMP or ICMPv6 checksum"),
    ICMP_UNUSED("ICMP or ICMPv6 type that nobody here reads, or an error about something other than TCP"),
    ND_INVALID("neighbour discovery message that RFC 4861 says to discard"),
    TCP_TRUNCATED("shorter than a TCP header"),
    TCP_BAD_OFFSET("data offset under 5 or past the segment"),
    TCP_BAD_CHECKSUM("TCP checksum"),
    TCP_BAD_PORT("source or destination port 0"),
    TCP_BAD_FLAGS("flag combination that no segment may have (no flags, SYN with RST or FIN)"),
    NO_STEERING("no quad hash entry wants it"),
    ADDRESS_NOT_LOCAL("IP destination is not an address of this NIC and VLAN"),
    SYN_BACKLOG_FULL("listener's limit on half-open connections"),
    BACKLOG_FULL("listener's limit on connections not yet accepted"),
    ILQ_FULL("no dispatcher has credit for it"),
    SUPERSEDED("from an owner or epoch that no longer counts"),
    LINK_QUEUE_FULL("the link's own queue");

    private final String sentence;

    Drop(String sentence) {
        this.sentence = sentence;
    }

    /** What the reason means, for people. */
    public String sentence() {
        return sentence;
    }
}
