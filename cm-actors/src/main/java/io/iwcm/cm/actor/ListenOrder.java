package io.iwcm.cm.actor;

import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.VlanTag;

/**
 * A listening endpoint that may be asked for.
 *
 * @param local where; the unspecified address listens on every address of the NIC and its VLANs, those to come included
 * @param vlan VLAN id, or {@link #ANY_VLAN}
 * @param familyOnly {@code ::} without IPv4
 * @param backlog limits
 * @param tos what our frames are marked with
 * @param answer who answers requests
 */
public record ListenOrder(Endpoint local, int vlan, boolean familyOnly, Backlog backlog, Tos tos, AnswerPolicy answer) {

    /** Whatever VLAN the address is on. */
    public static final int ANY_VLAN = -1;

    /** @throws IllegalArgumentException with one sentence when a value is not allowed */
    public ListenOrder {
        Limits.require(local.port() != 0, "port 0 cannot be listened on: 1..65535 are allowed");
        Limits.require(
                vlan == ANY_VLAN || (vlan >= VlanTag.UNTAGGED && vlan <= VlanTag.ID_MAX),
                "VLAN " + vlan + " is out of range: 0..4094, or any, are allowed");
        Limits.require(
                !local.address().isMulticast(),
                "address " + local.address() + " cannot be listened on: a unicast address is allowed");
    }

    /** Whether it listens on every address of the NIC. */
    public boolean isWildcard() {
        return local.address().isUnspecified();
    }

    /**
     * How many connections may be under way, per address and VLAN.
     *
     * @param halfOpen most between SYN and the end of the TCP handshake
     * @param waiting most between SYN and the application's answer
     */
    public record Backlog(int halfOpen, int waiting) {
        /** What a listener has that says nothing. */
        public static final Backlog DEFAULT = new Backlog(1024, 128);

        public Backlog {
            Limits.backlog("SYN backlog", halfOpen);
            Limits.backlog("backlog", waiting);
        }
    }

    /**
     * How our frames are marked. The traffic class is the greater of the listener's and the SYN's; the priority is
     * the listener's when it has one (DSCP mode), else the precedence of that traffic class.
     *
     * @param trafficClass 0..255
     * @param priority 0..7, or {@link #FROM_TRAFFIC_CLASS}
     */
    public record Tos(int trafficClass, int priority) {
        /** No priority of its own. */
        public static final int FROM_TRAFFIC_CLASS = -1;
        /** The SYN's traffic class and its precedence. */
        public static final Tos DEFAULT = new Tos(0, FROM_TRAFFIC_CLASS);

        private static final int PRECEDENCE_SHIFT = 5;

        public Tos {
            Limits.trafficClass(trafficClass);
            Limits.require(
                    priority >= FROM_TRAFFIC_CLASS && priority <= 7,
                    "priority " + priority + " is out of range: 0..7 are allowed");
        }

        Path answering(int synTrafficClass) {
            int both = Math.max(trafficClass, synTrafficClass);
            return new Path(priority == FROM_TRAFFIC_CLASS ? both >>> PRECEDENCE_SHIFT : priority, both);
        }
    }

    /** Who answers a connect request. */
    public sealed interface AnswerPolicy {

        /** The application is told and answers. */
        record Ask() implements AnswerPolicy {}

        /** Every request is accepted at once; the application is told when the connection stands. */
        record Accept(CmConnection.Accept with) implements AnswerPolicy {}

        /** Every request is rejected at once; the application is told nothing. */
        record Reject(Octets privateData) implements AnswerPolicy {}
    }
}
