package io.iwcm.nic.wire;

import java.util.Optional;

/** The two messages of IPv6 neighbour discovery that resolve addresses (RFC 4861 §4.3, §4.4). */
public sealed interface NeighbourMessage {

    Ipv6Address ALL_NODES = new Ipv6Address(0xff02_0000_0000_0000L, 1);

    /** The IPv6 source; of a solicitation {@code ::} while the sender checks whether the target is free. */
    Ipv6Address source();

    Ipv6Address destination();

    /** The address that is asked for or told of. */
    Ipv6Address target();

    /** The Ethernet address in the message's link-layer option, if it has one. */
    Optional<MacAddress> linkAddress();

    /**
     * Asks who has {@code target}.
     *
     * @param source who asks
     * @param destination the target's solicited-node group, or the target itself
     * @param target the address in question
     * @param linkAddress source link-layer address option: where to answer to
     */
    record Solicitation(
            Ipv6Address source, Ipv6Address destination, Ipv6Address target, Optional<MacAddress> linkAddress)
            implements NeighbourMessage {

        /** The multicast question of address resolution (RFC 4861 §7.2.2). */
        public static Solicitation resolve(MacAddress localMac, Ipv6Address source, Ipv6Address target) {
            return new Solicitation(source, target.solicitedNodeMulticast(), target, Optional.of(localMac));
        }

        /** The unicast question to a neighbour that is known, whether it is still there (RFC 4861 §7.3.3). */
        public static Solicitation probe(MacAddress localMac, Ipv6Address source, Ipv6Address target) {
            return new Solicitation(source, target, target, Optional.of(localMac));
        }

        /** Duplicate address detection: nothing may be learnt from it (RFC 4862 §5.4). */
        public boolean isDuplicateCheck() {
            return source.isUnspecified();
        }

        /**
         * The advertisement that answers this solicitation, by the host {@code localMac} that has the target; to all
         * nodes when the sender has no address yet (RFC 4861 §7.2.4).
         */
        public Advertisement answer(MacAddress localMac) {
            boolean solicited = !isDuplicateCheck();
            return new Advertisement(
                    target, solicited ? source : ALL_NODES, target, Optional.of(localMac), Flags.ours(solicited));
        }
    }

    /**
     * Tells who has {@code target}.
     *
     * @param source who tells
     * @param destination who asked, or all nodes
     * @param target the address in question
     * @param linkAddress target link-layer address option
     * @param flags router, solicited, override
     */
    record Advertisement(
            Ipv6Address source,
            Ipv6Address destination,
            Ipv6Address target,
            Optional<MacAddress> linkAddress,
            Flags flags)
            implements NeighbourMessage {

        /** Tells all nodes, unasked, that {@code address} is at {@code localMac} (RFC 4861 §7.2.6). */
        public static Advertisement announcement(MacAddress localMac, Ipv6Address address) {
            return new Advertisement(address, ALL_NODES, address, Optional.of(localMac), Flags.ours(false));
        }
    }

    /**
     * Flags of an advertisement.
     *
     * @param router the sender is a router
     * @param solicited it answers a solicitation, and so confirms that the neighbour is reachable
     * @param override what it says replaces what is cached
     */
    record Flags(boolean router, boolean solicited, boolean override) {

        static Flags ours(boolean solicited) {
            return new Flags(false, solicited, true);
        }
    }
}
