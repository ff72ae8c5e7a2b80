package io.iwcm.cm.api;

import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
import io.iwcm.cm.actor.ListenOrder.Backlog;
import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;

/**
 * Where to listen and how. A value: each method gives another one, and throws {@link IllegalArgumentException} with one
 * sentence when that is not allowed.
 */
public final class ListenOptions {

    private final ListenOrder order;

    private ListenOptions(ListenOrder order) {
        this.order = order;
    }

    /**
     * On this endpoint, on whatever VLAN its address is. The unspecified address listens on all addresses and VLANs, those
     * to come included; {@code ::} on those of IPv4 too. The application is asked for every request.
     */
    public static ListenOptions on(Endpoint local) {
        return new ListenOptions(new ListenOrder(
                local, ListenOrder.ANY_VLAN, false, Backlog.DEFAULT, Tos.DEFAULT, new AnswerPolicy.Ask()));
    }

    /** As an order says, from wherever it came. */
    public static ListenOptions of(ListenOrder order) {
        return new ListenOptions(order);
    }

    /** On this VLAN only; 0 for none. */
    public ListenOptions vlan(int vlan) {
        return new ListenOptions(
                new ListenOrder(order.local(), vlan, order.familyOnly(), order.backlog(), order.tos(), order.answer()));
    }

    /** {@code ::} without IPv4. */
    public ListenOptions ipv6Only() {
        return new ListenOptions(
                new ListenOrder(order.local(), order.vlan(), true, order.backlog(), order.tos(), order.answer()));
    }

    /**
     * With these limits per address and VLAN. A SYN beyond one is dropped, never reset: the peer tries again.
     *
     * @param halfOpen most connections between SYN and the end of the TCP handshake, 1..1048576
     * @param waiting most connections between SYN and the application's answer, 1..1048576
     */
    public ListenOptions backlog(int halfOpen, int waiting) {
        return new ListenOptions(new ListenOrder(
                order.local(),
                order.vlan(),
                order.familyOnly(),
                new Backlog(halfOpen, waiting),
                order.tos(),
                order.answer()));
    }

    /** How our frames are marked. */
    public ListenOptions tos(Tos tos) {
        return new ListenOptions(
                new ListenOrder(order.local(), order.vlan(), order.familyOnly(), order.backlog(), tos, order.answer()));
    }

    /**
     * Every request is accepted at once; the handler hears {@code Established} first. What cannot be accepted, for want of a
     * queue pair maybe, is rejected.
     */
    public ListenOptions accepting(AcceptOptions with) {
        return accepting(with, AnswerPolicy.Accept.UNLIMITED);
    }

    /** The same, so many connections at a time; requests beyond are rejected. */
    public ListenOptions accepting(AcceptOptions with, int most) {
        return answering(new AnswerPolicy.Accept(with.call(), most));
    }

    /** Every request is rejected at once; the handler hears nothing. */
    public ListenOptions rejecting(Octets privateData) {
        return answering(new AnswerPolicy.Reject(privateData));
    }

    private ListenOptions answering(AnswerPolicy policy) {
        return new ListenOptions(
                new ListenOrder(order.local(), order.vlan(), order.familyOnly(), order.backlog(), order.tos(), policy));
    }

    /** The same as an order of the actors' protocol. */
    public ListenOrder order() {
        return order;
    }
}
