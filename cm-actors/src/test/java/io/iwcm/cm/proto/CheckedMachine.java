package io.iwcm.cm.proto;

import io.iwcm.cm.script.Machine;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The connection machine, with what must hold in every step whatever comes in. Knows all that the peer has ever sent. */
final class CheckedMachine implements Machine {

    /** A rule of the machine was broken. */
    static final class Broken extends RuntimeException {
        Broken(String rule) {
            super(rule);
        }
    }

    private final Set<SeqNum> sentByPeer = new HashSet<>();
    private final Map<Integer, Byte> sentByUs = new HashMap<>();
    private long steps;

    long steps() {
        return steps;
    }

    @Override
    public Move connect(ConnectSpec spec, long nowNs, CmParams params) {
        return checked(CmMachine.connect(spec, nowNs, params), nowNs, params);
    }

    @Override
    public Move admit(AdmitSpec spec, long nowNs, CmParams params) {
        note(spec.syn());
        return checked(CmMachine.admit(spec, nowNs, params), nowNs, params);
    }

    @Override
    public Move step(Object state, CmInput in, long nowNs, CmParams params) {
        if (in instanceof CmInput.Arrived(Segment segment)) {
            note(segment);
        }
        CmState before = (CmState) state;
        Step step = CmMachine.step(before, in, nowNs, params);
        if (before instanceof CmState.Closed) {
            require(step.next().equals(before), "something comes after the end");
            step.outputs().forEach(output -> require(output instanceof CmOutput.Answer, "an output after the end"));
        }
        if (before instanceof CmState.Live live && !before.hasFlow()) {
            require(live.conn().held().equals(Conn.Held.NOTHING), "a node without a flow holds something");
            step.outputs().forEach(output -> require(!(output instanceof CmOutput.ToNic), "an order without a flow"));
        }
        return checked(step, nowNs, params);
    }

    private Move checked(Step step, long nowNs, CmParams params) {
        steps++;
        CmState next = step.next();
        for (CmOutput output : step.outputs()) {
            switch (output) {
                case CmOutput.ToNic(NicCommand.Transmit(Segment segment)) -> transmitted(segment, next);
                case CmOutput.Arm(var _, long atNs, var _) -> require(atNs >= nowNs, "a timer in the past");
                case CmOutput.ToNic _, CmOutput.Disarm _, CmOutput.Notify _, CmOutput.Answer _, CmOutput.Count _ -> {}
            }
        }
        if (next instanceof CmState.Live live) {
            deadline(live, params);
        }
        if (next instanceof CmState.Synchronized synced) {
            numbers(synced);
        }
        return new Move(next, next.name(), step.outputs());
    }

    private void note(Segment segment) {
        for (int i = 0; i < segment.sequenceLength(); i++) {
            sentByPeer.add(segment.seq().plus(i));
        }
    }

    /** Never an ACK of what has not come; never other octets under a number that was used. */
    private void transmitted(Segment segment, CmState next) {
        if (segment.hasAck()) {
            require(sentByPeer.contains(segment.ack().plus(-1)), "an ACK of what was never received");
            if (next instanceof CmState.Synchronized synced) {
                require(segment.ack().atOrBefore(synced.tcb().rcv().nxt()), "an ACK beyond RCV.NXT");
            }
        }
        if (next instanceof CmState.Synchronized synced && !segment.rst()) {
            require(segment.end().atOrBefore(synced.tcb().snd().nxt()), "a segment beyond SND.NXT");
        }
        for (int i = 0; i < segment.payload().length(); i++) {
            Byte before = sentByUs.put(
                    segment.seq().plus(i).value(), (byte) segment.payload().at(i));
            require(
                    before == null || before == (byte) segment.payload().at(i),
                    "other octets under a number that was used");
        }
    }

    private static void numbers(CmState.Synchronized synced) {
        Tcb tcb = synced.tcb();
        Tcb.Snd snd = tcb.snd();
        Flight flight = tcb.flight();
        int syn = synced instanceof CmState.SynRcvd ? 1 : 0;
        require(snd.una().atOrBefore(snd.nxt()), "SND.UNA beyond SND.NXT");
        require(
                snd.nxt().minus(snd.una()) == syn + flight.sent() + (flight.finSent() ? 1 : 0),
                "SND.NXT does not tell what is in flight");
        require(flight.sent() <= flight.octets().length(), "more sent than there was");
        require(!flight.finSent() || flight.fin(), "a FIN sent that nobody ordered");
        require(tcb.mss() > 0 && tcb.rcv().wnd() > 0, "an MSS or window of nothing");
        long armed = synced.conn().timers().retransmit().generation();
        require(
                (armed != 0) == (syn == 1 || !flight.isEmpty()),
                "the retransmission timer runs exactly while something is owed");
    }

    /** Nothing is kept for ever, but what the application wants. */
    private static void deadline(CmState.Live live, CmParams params) {
        boolean applicationsTime = params.deadlines().mpa().decisionNs() == 0;
        boolean mayStay = switch (live) {
            case CmState.MpaReqRcvd _, CmState.CloseWait _, CmState.Orphaned _ -> applicationsTime;
            case CmState.Offloaded offloaded -> offloaded.progress() instanceof CmState.Progress.Running;
            case CmState.Inited _, CmState.SynSent _, CmState.SynRcvd _, CmState.Established _ -> false;
            case CmState.MpaReqSent _, CmState.MpaRejRcvd _, CmState.FinWait1 _, CmState.FinWait2 _ -> false;
            case CmState.Closing _, CmState.LastAck _ -> false;
        };
        require(mayStay || live.conn().timers().deadline().generation() != 0, "no deadline in " + live.name());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new Broken(otherwise);
        }
    }
}
