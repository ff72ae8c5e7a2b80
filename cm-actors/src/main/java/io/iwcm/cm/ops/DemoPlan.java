package io.iwcm.cm.ops;

import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a demo shows.
 *
 * @param network addresses and VLAN
 * @param revision MPA revision of the request, 1 or 2
 * @param peerToPeer ask for the peer-to-peer model
 * @param reject the target rejects
 * @param depths what the initiator asks for; the target accepts with {@link #TARGET_DEPTHS}
 * @param privateData sent by the initiator, and back by the target
 * @param wire what the wire does to frames
 * @param load how many connections
 */
record DemoPlan(
        Network network,
        int revision,
        boolean peerToPeer,
        boolean reject,
        ReadDepths depths,
        Octets privateData,
        Wire wire,
        Load load) {

    /** The target's own wish, more than it can get from a modest initiator. */
    static final ReadDepths TARGET_DEPTHS = new ReadDepths(16, 16);

    /**
     * Where the two ends are.
     *
     * @param ipv6 IPv6 instead of IPv4
     * @param vlan VLAN id, 0 for none
     */
    record Network(boolean ipv6, int vlan) {}

    /**
     * What happens on the way.
     *
     * @param rates faults
     * @param seed same seed, same dice
     * @param pcap record the initiator's side here
     */
    record Wire(FaultRates rates, long seed, Optional<Path> pcap) {}

    /**
     * How much, and how long it may take.
     *
     * @param connections how many, all at once
     * @param timeoutSeconds for all of them
     */
    record Load(int connections, int timeoutSeconds) {}
}
