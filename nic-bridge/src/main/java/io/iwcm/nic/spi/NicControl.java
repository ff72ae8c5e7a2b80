package io.iwcm.nic.spi;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.Optional;

/** An order to an RNIC that is not a step of one connection. Each carries an id that its answer repeats. */
public sealed interface NicControl {

    long id();

    /**
     * A dispatcher is there: SYNs may go to it. Answered by {@link Done}.
     *
     * @param replaces the dispatcher that it takes the place of, as if that one were detached right after: an incarnation is
     *     an owner of its own, so that nothing of the last one can be taken for its own
     */
    record Attach(long id, Owner owner, Optional<Owner> replaces) implements NicControl {

        public Attach(long id, Owner owner) {
            this(id, owner, Optional.empty());
        }
    }

    /**
     * A dispatcher is gone. Answered by {@link Done}.
     *
     * @param handsOn its flows go to those that are still there ({@link Rnic.Adopt}); otherwise, and when nobody is left,
     *     they end and their peers are reset
     */
    record Detach(long id, Owner owner, boolean handsOn) implements NicControl {

        public Detach(long id, Owner owner) {
            this(id, owner, true);
        }
    }

    /**
     * Enter a SYN entry. Answered by {@link Done} or {@link Failed}.
     *
     * @param key concrete local endpoint and VLAN
     * @param synBacklog most half-open connections, 1 or more
     * @param backlog most connections half-open or waiting for the application, 1 or more
     * @param offer what its SYN-ACKs say
     */
    record Listen(long id, ListenKey key, int synBacklog, int backlog, SynOffer offer) implements NicControl {}

    /** Take a SYN entry out; flows that came by it stay. Answered by {@link Done}. */
    record Unlisten(long id, ListenKey key) implements NicControl {}

    /**
     * Choose the local end of an active open. Answered by {@link FlowOpened} or {@link Failed}. The flow is reserved until
     * its quad hash entry is deleted.
     *
     * @param owner for whom; the reservation goes with it
     * @param local address to use, or the unspecified address: the route decides; port 0: one is chosen from the range for
     *     ephemeral ports, unique per remote endpoint
     * @param remote the peer
     * @param vlan VLAN id, {@link io.iwcm.nic.wire.VlanTag#UNTAGGED} for none; with an unspecified local address: the
     *     route's
     */
    record OpenFlow(long id, Owner owner, Endpoint local, Endpoint remote, int vlan) implements NicControl {}

    /**
     * Make a queue pair. Answered by {@link QpCreated} or {@link Failed}.
     *
     * @param owner for whose connection: when that dispatcher goes, it ends unless a connection has it or a checkpoint names
     *     it; empty: an application's, which ends it itself
     */
    record CreateQp(long id, Optional<Owner> owner) implements NicControl {

        public CreateQp(long id) {
            this(id, Optional.empty());
        }
    }

    /**
     * Pass a letter on to whoever owns a flow. Answered by {@link Done}, or by {@link Failed} when nobody does.
     *
     * @param flow the connection
     * @param letter for its owner
     */
    record Forward(long id, FlowKey flow, Letter letter) implements NicControl {}

    /**
     * End a queue pair. A connection that it still has is reset. Without such a queue pair: nothing happens. Answered by
     * {@link Done}.
     */
    record DestroyQp(long id, QpId qp) implements NicControl {}

    /** The NIC has a new address. Answered by {@link Done}. */
    record AddAddress(long id, LocalAddress address) implements NicControl {}

    /** The NIC loses an address; its flows are told by whoever orders this. Answered by {@link Done}. */
    record RemoveAddress(long id, IpAddress address, int vlan) implements NicControl {}

    /**
     * An address of the NIC.
     *
     * @param address the address
     * @param prefixLength length of its on-link prefix in bits
     * @param vlan the VLAN it is on
     */
    record LocalAddress(IpAddress address, int prefixLength, int vlan) {}

    /** The answer to a control order. */
    sealed interface Answer {
        long id();
    }

    record Done(long id) implements Answer {}

    record Failed(long id, NicEvent.Failure why) implements Answer {}

    /**
     * A flow has been promised.
     *
     * @param inside the peer is this NIC: frames turn round inside it
     */
    record FlowOpened(long id, FlowKey flow, boolean inside) implements Answer {}

    record QpCreated(long id, QpId qp) implements Answer {}
}
