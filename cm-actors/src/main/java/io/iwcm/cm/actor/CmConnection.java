package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A connection as its application holds it. Calls are answered exactly once, {@link Cause#NONE} when done, also when the
 * connection has ended meanwhile: an accept fails then, the others have nothing left to do and succeed.
 *
 * @param id its name
 * @param flow both endpoints and the VLAN, as on the wire
 * @param role who opened it
 * @param home the bucket where it lives
 * @param shown the flow as the application knows it: another one than on the wire only with a port mapper
 * @param listener the listener it came by, as snapshots number them; 0: by none
 */
public record CmConnection(
        ConnectionId id, FlowKey flow, Role role, ActorRef<IlqDispatcher.Command> home, FlowKey shown, long listener) {

    /** One that is shown as it is on the wire and came by no listener. */
    public CmConnection(ConnectionId id, FlowKey flow, Role role, ActorRef<IlqDispatcher.Command> home) {
        this(id, flow, role, home, flow, Listener.NO_LISTENER);
    }

    CmConnection shownAs(FlowKey other) {
        return new CmConnection(id, flow, role, home, other, listener);
    }

    /** What an application can call for. */
    public sealed interface Call {}

    /**
     * Take the connection that {@code ConnectRequest} offered. Answered when it stands or has failed.
     *
     * @param qp the queue pair that is to have it; empty: one is made and ended with the connection
     * @param depths empty takes what the request suggested
     * @param privateData at most 512 octets, 508 when the request was enhanced
     */
    public record Accept(Optional<QpId> qp, Optional<ReadDepths> depths, Octets privateData) implements Call {
        public Accept {
            Limits.privateData(privateData, 1);
        }
    }

    /** Refuse the connection that {@code ConnectRequest} offered; limits as for an accept. */
    public record Reject(Octets privateData) implements Call {
        public Reject {
            Limits.privateData(privateData, 1);
        }
    }

    /** Take it; what cannot be taken, for want of a queue pair maybe, is refused. */
    record AcceptOrReject(Accept accept, Reject otherwise) implements Call {}

    /** End it in order. */
    public record Disconnect() implements Call {}

    /** End it now: the peer sees a reset. */
    public record Abort() implements Call {}

    /**
     * Calls for something.
     *
     * @param replyTo told exactly once: {@link Cause#NONE} when it is done, else why not
     */
    public void call(Call call, ActorRef<Cause> replyTo) {
        home.tell(new IlqDispatcher.Called(this, call, replyTo));
    }

    /** To be told when the code that handles its events has failed: what it does not know any more is ended for it. */
    public void consumerFailed() {
        home.tell(new IlqDispatcher.ConsumerFailed(this));
    }

    @Override
    public String toString() {
        return "connection " + id + " " + shown;
    }
}
