package io.iwcm.nic.wire;

import java.util.EnumMap;
import java.util.Map;

/** What a received frame turned out to be. Every octet that a value here was made of is bounds-checked and verified. */
public sealed interface Parsed {

    /**
     * A TCP segment: checksum right, ports and flags possible, neither to nor from an address that no connection has.
     * Whether MAC, VLAN and IP address are ours is for steering to say.
     */
    record Tcp(TcpFrame frame) implements Parsed {}

    /** An ARP request or reply of a sender that may exist. */
    record Arp(EthernetHeader ethernet, ArpPacket packet) implements Parsed {}

    /** A neighbour solicitation or advertisement that passed RFC 4861 §7.1. */
    record Neighbour(EthernetHeader ethernet, NeighbourMessage message) implements Parsed {}

    /**
     * An ICMP or ICMPv6 echo request or reply.
     *
     * @param ethernet its Ethernet header
     * @param source who sent it
     * @param destination whom it is for; may be a multicast or broadcast address, which need not be answered
     * @param request request, else reply
     * @param identifier the sender's mark, 0..65535
     * @param sequence the sender's count, 0..65535
     * @param data what an answer repeats
     */
    record Echo(
            EthernetHeader ethernet,
            IpAddress source,
            IpAddress destination,
            boolean request,
            int identifier,
            int sequence,
            Octets data)
            implements Parsed {

        /** The reply to this request, by the host {@code localMac} that has its destination address. */
        public Echo reply(MacAddress localMac) {
            return new Echo(ethernet.reply(localMac), destination, source, false, identifier, sequence, data);
        }
    }

    /**
     * An ICMP or ICMPv6 error about a TCP segment that we are said to have sent. Anybody can write one: it is worth
     * something only when {@code quotedSeq} is one that is in flight (RFC 5927 §4.1).
     *
     * @param ethernet its Ethernet header
     * @param reporter who says so: a router or the peer
     * @param kind what went wrong
     * @param code the code field, which refines {@code kind} for people
     * @param mtu with {@link Kind#PACKET_TOO_BIG} the next hop's MTU in octets (0 from a router older than RFC 1191),
     *     else 0
     * @param quotedFlow the flow of the quoted segment, its sender as the local end
     * @param quotedSeq the quoted segment's sequence number
     */
    record IcmpError(
            EthernetHeader ethernet,
            IpAddress reporter,
            Kind kind,
            int code,
            int mtu,
            FlowKey quotedFlow,
            SeqNum quotedSeq)
            implements Parsed {

        /** The families of ICMP errors. */
        public enum Kind {
            UNREACHABLE,
            PACKET_TOO_BIG,
            TIME_EXCEEDED,
            PARAMETER_PROBLEM
        }

        /**
         * Whether retrying is pointless (RFC 9293 §3.9.2.2): protocol or port unreachable. Everything else may pass and
         * must not end a connection; so does, to be careful, what a filter prohibits.
         */
        public boolean isHard() {
            return isPortUnreachable() || (kind == Kind.UNREACHABLE && reporter.isV4() && code == 2);
        }

        /** Whether nobody listens on the port there. */
        public boolean isPortUnreachable() {
            return kind == Kind.UNREACHABLE && code == (reporter.isV4() ? 3 : 4);
        }
    }

    /** Nothing to be used. Not {@link Drop#NONE}. */
    record Dropped(Drop why) implements Parsed {

        private static final Map<Drop, Dropped> ALL = new EnumMap<>(Drop.class);

        static {
            for (Drop why : Drop.values()) {
                ALL.put(why, new Dropped(why));
            }
        }

        static Dropped of(Drop why) {
            return java.util.Objects.requireNonNull(ALL.get(why));
        }
    }
}
