package io.iwcm.cm.proto;

import io.iwcm.nic.wire.FlowKey;

/**
 * What a connection has in every state.
 *
 * @param flow both endpoints
 * @param origin how it began
 * @param held what it holds of the NIC
 * @param timers what is armed
 */
record Conn(FlowKey flow, Origin origin, Held held, Timers timers) {

    /** What is ordered from the NIC and must be given back, exactly once. */
    record Held(boolean ah, boolean quad, boolean apbvt) {
        static final Held NOTHING = new Held(false, false, false);
    }

    /**
     * The armed timers.
     *
     * @param last the generation given out last
     */
    record Timers(long last, Armed retransmit, Armed deadline) {
        static final Timers NONE = new Timers(0, Armed.NOT, Armed.NOT);

        Armed of(TimerKey key) {
            return switch (key) {
                case RETRANSMIT -> retransmit;
                case DEADLINE -> deadline;
            };
        }

        boolean isArmed(TimerKey key) {
            return of(key).generation() != 0;
        }

        Timers with(TimerKey key, Armed newer) {
            long newest = Math.max(last, newer.generation());
            return switch (key) {
                case RETRANSMIT -> new Timers(newest, newer, deadline);
                case DEADLINE -> new Timers(newest, retransmit, newer);
            };
        }
    }

    /**
     * A timer.
     *
     * @param generation comes back in its tick; 0: it is not armed
     * @param atNs when it is due: whoever adopts the connection arms it for the time that is left
     */
    record Armed(long generation, long atNs) {
        static final Armed NOT = new Armed(0, 0);
    }

    static Conn of(FlowKey flow, Origin origin) {
        return new Conn(flow, origin, Held.NOTHING, Timers.NONE);
    }

    boolean passive() {
        return origin instanceof Origin.Passive;
    }

    Conn with(Origin newer) {
        return new Conn(flow, newer, held, timers);
    }

    Conn with(Held newer) {
        return new Conn(flow, origin, newer, timers);
    }

    Conn with(Timers newer) {
        return new Conn(flow, origin, held, newer);
    }
}
