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
     * The generations of the armed timers; 0 where none is armed.
     *
     * @param last the generation given out last
     */
    record Timers(long last, long retransmit, long deadline) {
        static final Timers NONE = new Timers(0, 0, 0);

        long armed(TimerKey key) {
            return switch (key) {
                case RETRANSMIT -> retransmit;
                case DEADLINE -> deadline;
            };
        }

        Timers with(TimerKey key, long generation) {
            long newest = Math.max(last, generation);
            return switch (key) {
                case RETRANSMIT -> new Timers(newest, generation, deadline);
                case DEADLINE -> new Timers(newest, retransmit, generation);
            };
        }
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
