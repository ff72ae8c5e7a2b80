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

    /** The same on this endpoint. */
    ListenOrder on(Endpoint other) {
        return new ListenOrder(other, vlan, familyOnly, backlog, tos, answer);
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
     * How our frames are marked. With a priority they are marked as it stands here, whatever the peer's say. Without one they
     * have the greater traffic class of ours and, when a SYN is answered, of the SYN, and the priority is its precedence;
     * in DSCP mode {@link Marking} has put a priority here by then.
     *
     * @param trafficClass 0..255
     * @param priority 0..7, or {@link #FROM_TRAFFIC_CLASS}
     */
    public record Tos(int trafficClass, int priority) {
        /** No priority of its own. */
        public static final int FROM_TRAFFIC_CLASS = -1;
        /** The SYN's traffic class and its precedence. */
        public static final Tos DEFAULT = new Tos(0, FROM_TRAFFIC_CLASS);

        static final int PRIORITY_MAX = 7;
        private static final int PRECEDENCE_SHIFT = 5;
        /** The lower two bits are ECN's (RFC 3168 §5), which we do not speak: no peer can make us. */
        private static final int CODE_POINT_MASK = 0xfc;

        public Tos {
            Limits.trafficClass(trafficClass);
            Limits.require(
                    priority >= FROM_TRAFFIC_CLASS && priority <= PRIORITY_MAX,
                    "priority " + priority + " is out of range: 0..7 are allowed");
        }

        boolean hasPriority() {
            return priority != FROM_TRAFFIC_CLASS;
        }

        Path opening() {
            return answering(0);
        }

        Path answering(int synTrafficClass) {
            if (hasPriority()) return new Path(priority, trafficClass);
            int both = Math.max(trafficClass, synTrafficClass & CODE_POINT_MASK);
            return new Path(both >>> PRECEDENCE_SHIFT, both);
        }
    }

    /** Who answers a connect request. */
    public sealed interface AnswerPolicy {

        /** The application is told and answers. */
        record Ask() implements AnswerPolicy {}

        /**
         * Every request is accepted at once; the application is told when the connection stands. What cannot be accepted is
         * rejected.
         *
         * @param with how
         * @param most so many connections at a time, 1 or more; requests beyond are rejected
         */
        record Accept(CmConnection.Accept with, int most) implements AnswerPolicy {
            public static final int UNLIMITED = Integer.MAX_VALUE;

            public Accept {
                Limits.require(most >= 1, "a limit of " + most + " connections is not allowed: 1 or more are");
            }
        }

        /** Every request is rejected at once; the application is told nothing. */
        record Reject(Octets privateData) implements AnswerPolicy {}
    }
}
