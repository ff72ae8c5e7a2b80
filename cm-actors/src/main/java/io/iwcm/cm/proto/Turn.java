package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmOutput.Answer;
import io.iwcm.cm.proto.CmOutput.Arm;
import io.iwcm.cm.proto.CmOutput.Count;
import io.iwcm.cm.proto.CmOutput.Disarm;
import io.iwcm.cm.proto.CmOutput.Notify;
import io.iwcm.cm.proto.CmOutput.ToNic;
import io.iwcm.cm.proto.Conn.Armed;
import io.iwcm.cm.proto.Conn.Held;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.wire.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One step in the making: collects outputs and what they change about the connection. Lives within one call of
 * {@link CmMachine}; never escapes it.
 */
final class Turn {

    final long nowNs;
    final CmParams params;
    private Conn conn;
    private final List<CmOutput> outputs = new ArrayList<>(6);

    Turn(Conn conn, long nowNs, CmParams params) {
        this.conn = conn;
        this.nowNs = nowNs;
        this.params = params;
    }

    Conn conn() {
        return conn;
    }

    void become(Origin origin) {
        conn = conn.with(origin);
    }

    Step to(CmState next) {
        return new Step(next, outputs);
    }

    void nic(NicCommand command) {
        outputs.add(new ToNic(command));
    }

    void send(Segment segment) {
        nic(new NicCommand.Transmit(segment));
    }

    void tell(CmEvent event) {
        outputs.add(new Notify(event));
    }

    void answer(long call, Cause cause) {
        outputs.add(new Answer(call, cause));
    }

    void count(CmCounter counter) {
        outputs.add(new Count(counter));
    }

    void arm(TimerKey key, long delayNs) {
        long generation = conn.timers().last() + 1;
        conn = conn.with(conn.timers().with(key, new Armed(generation, nowNs + delayNs)));
        outputs.add(new Arm(key, nowNs + delayNs, generation));
    }

    void disarm(TimerKey key) {
        if (conn.timers().isArmed(key)) {
            conn = conn.with(conn.timers().with(key, Armed.NOT));
            outputs.add(new Disarm(key));
        }
    }

    /** Arms again what is armed, for the time that is left, or none: the timers of the last owner are gone. */
    void rearm() {
        for (TimerKey key : TimerKey.values()) {
            Armed armed = conn.timers().of(key);
            if (armed.generation() != 0) {
                outputs.add(new Arm(key, armed.atNs(), armed.generation()));
            }
        }
    }

    /** A fired timer is no longer armed. False: the tick is from an earlier arming and must change nothing. */
    boolean takes(CmInput.TimerTick tick) {
        long armed = conn.timers().of(tick.key()).generation();
        if (armed == 0 || armed != tick.generation()) {
            return false;
        }
        conn = conn.with(conn.timers().with(tick.key(), Armed.NOT));
        return true;
    }

    void createAh() {
        conn = conn.with(new Held(true, conn.held().quad(), conn.held().apbvt()));
        nic(new NicCommand.CreateAh(conn.origin().path()));
    }

    /** Orders steering: the quad hash entry, and at an active end the use of the port (PROTOCOL §15: in this order). */
    void steer() {
        boolean active = !conn.passive();
        conn = conn.with(new Held(conn.held().ah(), true, active));
        nic(new NicCommand.AddQuadHash(
                conn.origin() instanceof Origin.Passive(NicCommand.ListenKey listener, var _)
                        ? Optional.of(listener)
                        : Optional.empty()));
        if (active) {
            nic(new NicCommand.AddApbvt());
        }
    }

    void moveInBacklog(BacklogPlace place) {
        if (conn.passive() && conn.held().quad()) {
            nic(new NicCommand.MoveInBacklog(place));
        }
    }

    void freeAh() {
        if (conn.held().ah()) {
            conn = conn.with(new Held(false, conn.held().quad(), conn.held().apbvt()));
            nic(new NicCommand.FreeAh());
        }
    }

    /** The quad hash entry is somebody else's to delete from here on: the queue pair's, or a TIME_WAIT row took it. */
    void leaveQuad() {
        conn = conn.with(new Held(conn.held().ah(), false, conn.held().apbvt()));
    }

    /** Gives back all that is held, in reverse order: the flow is free for another connection. */
    void release() {
        if (conn.held().apbvt()) {
            nic(new NicCommand.DeleteApbvt());
        }
        if (conn.held().quad()) {
            nic(new NicCommand.DeleteQuadHash());
        }
        if (conn.held().ah()) {
            nic(new NicCommand.FreeAh());
        }
        conn = conn.with(Held.NOTHING);
    }

    /** Gives back all that is held and disarms everything; the node ends. */
    Step close(Cause cause) {
        disarm(TimerKey.RETRANSMIT);
        disarm(TimerKey.DEADLINE);
        release();
        return ended(cause);
    }

    /** Somebody else owns the flow by now: nothing is sent, unsteered or told (DESIGN §5). */
    Step abandon() {
        disarm(TimerKey.RETRANSMIT);
        disarm(TimerKey.DEADLINE);
        conn = conn.with(Held.NOTHING);
        return ended(Cause.NONE);
    }

    private Step ended(Cause cause) {
        count(CmCounter.NODES_DESTROYED);
        return to(new CmState.Closed(conn.flow(), cause));
    }
}
