package io.iwcm.cm.api;

import io.iwcm.cm.actor.ConnectOrder;
import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.mpa.Initiator;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.VlanTag;
import java.time.Duration;
import java.util.Optional;

/**
 * Where to connect and what to ask for. A value: each method gives another one, and throws
 * {@link IllegalArgumentException} with one sentence when that is not allowed.
 */
public final class ConnectOptions {

    private final ConnectOrder order;

    private ConnectOptions(ConnectOrder order) {
        this.order = order;
    }

    /**
     * To this endpoint: from the address that the route has and a port that is free, MPA revision 2 in the peer-to-peer
     * model with a fall-back to revision 1, all the read depths there are, no private data, a queue pair of its own.
     */
    public static ConnectOptions to(Endpoint remote) {
        Endpoint anywhere = new Endpoint(remote.address().isV4() ? new Ipv4Address(0) : new Ipv6Address(0, 0), 0);
        Initiator.Wish wish = new Initiator.Wish(2, new ReadDepths(ReadDepths.MAX, ReadDepths.MAX), true, Octets.EMPTY);
        return new ConnectOptions(
                new ConnectOrder(anywhere, remote, VlanTag.UNTAGGED, Optional.empty(), Tos.DEFAULT, wish, true));
    }

    /** From this address, and this port unless it is 0. */
    public ConnectOptions from(Endpoint local) {
        return with(local, order.vlan(), order.qp(), order.tos());
    }

    /** On the VLAN that the local address is on; 0 for none. */
    public ConnectOptions vlan(int vlan) {
        return with(order.local(), vlan, order.qp(), order.tos());
    }

    /** With a queue pair that the application has made and ends itself. */
    public ConnectOptions queuePair(QpId qp) {
        return with(order.local(), order.vlan(), Optional.of(qp), order.tos());
    }

    /** How our frames are marked. */
    public ConnectOptions tos(Tos tos) {
        return with(order.local(), order.vlan(), order.qp(), tos);
    }

    /** With MPA revision 1, which has no read depths and no peer-to-peer model. */
    public ConnectOptions revision1() {
        return with(order.wish().revision1(), false, order.synTimeout());
    }

    /** In the client-server model: the responder's first message waits for ours. */
    public ConnectOptions clientServer() {
        return wish(order.wish().clientServer());
    }

    /** With these read depths, as far as device and peer can. */
    public ConnectOptions depths(ReadDepths depths) {
        return wish(order.wish().with(depths));
    }

    /** With read depths that may be any number from 0 on: more than there can be counts as the most there can be. */
    public ConnectOptions depths(int ird, int ord) {
        return depths(ReadDepths.atMost(ird, ord));
    }

    /**
     * Without negotiating a read depth (RFC 6581 §9.1: the request says 0x3FFF instead of a number): ours stays what was
     * asked for, and that the peer can cope is between the applications.
     *
     * @param ird our IRD
     * @param ord our ORD
     */
    public ConnectOptions withoutNegotiating(boolean ird, boolean ord) {
        return wish(order.wish().open(ird, ord));
    }

    /** With private data for the peer: at most 508 octets in revision 2, 512 in revision 1. */
    public ConnectOptions privateData(Octets data) {
        return wish(order.wish().with(data));
    }

    /** Whether to try once more with revision 1 when the peer closes on the request of revision 2. */
    public ConnectOptions fallBack(boolean fallBack) {
        return with(order.wish(), fallBack, order.synTimeout());
    }

    /** How long to try to reach the peer's TCP, instead of {@code iwcm.cm.deadlines.syn}: 1 ms .. 1 day. */
    public ConnectOptions synTimeout(Duration timeout) {
        return with(order.wish(), order.fallBack(), Optional.of(timeout));
    }

    private ConnectOptions wish(Initiator.Wish wish) {
        return with(wish, order.fallBack(), order.synTimeout());
    }

    private ConnectOptions with(Endpoint local, int vlan, Optional<QpId> qp, Tos tos) {
        return new ConnectOptions(new ConnectOrder(
                local, order.remote(), vlan, qp, tos, order.wish(), order.fallBack(), order.synTimeout()));
    }

    private ConnectOptions with(Initiator.Wish wish, boolean fallBack, Optional<Duration> synTimeout) {
        return new ConnectOptions(new ConnectOrder(
                order.local(), order.remote(), order.vlan(), order.qp(), order.tos(), wish, fallBack, synTimeout));
    }

    /** The same as an order of the actors' protocol. */
    public ConnectOrder order() {
        return order;
    }
}
