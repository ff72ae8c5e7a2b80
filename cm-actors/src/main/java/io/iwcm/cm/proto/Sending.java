package io.iwcm.cm.proto;

import static io.iwcm.nic.wire.Segment.FIN;
import static io.iwcm.nic.wire.Segment.PSH;

import io.iwcm.nic.wire.Octets;

/** Puts queued octets on the wire, within the peer's window, and again when they are not acknowledged. */
final class Sending {

    private Sending() {}

    /**
     * Queues octets, and a FIN behind them, and sends what the window takes. Sends at least a bare ACK if {@code
     * acknowledge} and nothing else went out.
     */
    static Tcb send(Turn turn, Tcb tcb, Octets octets, boolean fin) {
        return pump(turn, tcb.with(tcb.flight().queue(octets, fin)));
    }

    /** Sends what waits and fits. Keeps the retransmission timer armed exactly while something is owed. */
    static Tcb pump(Turn turn, Tcb start) {
        Tcb tcb = start;
        while (true) {
            Flight flight = tcb.flight();
            int waiting = flight.octets().length() - flight.sent();
            int window = tcb.snd().wnd() - tcb.snd().nxt().minus(tcb.snd().una());
            int count = Math.clamp(window, 0, Math.min(waiting, tcb.mss()));
            boolean fin = flight.fin() && !flight.finSent() && count == waiting;
            if (count == 0 && !fin) {
                break;
            }
            tcb = transmit(turn, tcb, flight.octets().slice(flight.sent(), count), fin);
        }
        return timed(turn, tcb);
    }

    private static Tcb transmit(Turn turn, Tcb tcb, Octets octets, boolean fin) {
        int flags = (octets.isEmpty() ? 0 : PSH) | (fin ? FIN : 0);
        turn.send(Segments.data(tcb, tcb.snd().nxt(), flags, octets));
        return tcb.with(tcb.snd().sent(octets.length() + (fin ? 1 : 0)))
                .with(tcb.flight().sent(octets.length(), fin));
    }

    private static Tcb timed(Turn turn, Tcb tcb) {
        if (tcb.flight().isEmpty()) {
            turn.disarm(TimerKey.RETRANSMIT);
        } else if (!turn.conn().timers().isArmed(TimerKey.RETRANSMIT)) {
            turn.arm(TimerKey.RETRANSMIT, tcb.flight().rtoNs());
        }
        return tcb;
    }

    /**
     * The retransmission timer has fired and tries are left: the oldest segment again, built anew so that its ACK and
     * window are today's (RFC 6298 §5.4–5.6); with nothing in flight a probe of the closed window (RFC 9293 §3.8.6.1).
     */
    static Tcb retransmit(Turn turn, Tcb tcb) {
        Flight flight = tcb.flight();
        Tcb after;
        if (flight.outstanding()) {
            turn.count(CmCounter.PKT_RETRANS);
            int count = Math.min(flight.sent(), tcb.mss());
            boolean fin = flight.finSent() && count == flight.octets().length();
            int flags = (count > 0 ? PSH : 0) | (fin ? FIN : 0);
            turn.send(Segments.data(tcb, tcb.snd().una(), flags, flight.octets().slice(0, count)));
            after = tcb;
        } else {
            Octets probe = flight.octets().slice(0, Math.min(1, flight.octets().length()));
            after = transmit(turn, tcb, probe, probe.isEmpty());
        }
        after = after.with(after.flight().retried(turn.params.tcp().rtoMaxNs()));
        turn.arm(TimerKey.RETRANSMIT, after.flight().rtoNs());
        return after;
    }

    static boolean exhausted(Tcb tcb, CmParams params) {
        return tcb.flight().attempts() >= params.tcp().retriesMax();
    }
}
