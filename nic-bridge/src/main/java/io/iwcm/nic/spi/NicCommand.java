package io.iwcm.nic.spi;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.Optional;

/**
 * One order of a connection to its NIC. Orders of one {@link NicRequest} are carried out in order, together, before
 * anything else of that flow.
 */
public sealed interface NicCommand {

    /**
     * Resolve the next hop of the flow's remote address and make an address handle for it. Answered by
     * {@link NicEvent.AddressHandleReady} or {@link NicEvent.AddressHandleFailed}.
     *
     * @param path priority and traffic class of the frames to come
     */
    record CreateAh(Path path) implements NicCommand {}

    /** The address handle is not needed any more. Without one: nothing happens. */
    record FreeAh() implements NicCommand {}

    /**
     * Enter the flow in the quad hash as ours. Answered by {@link NicEvent.SteeringInstalled} or
     * {@link NicEvent.SteeringFailed}.
     *
     * @param listener passive: the listening endpoint whose backlog the flow takes a half-open place of; active: empty
     */
    record AddQuadHash(Optional<ListenKey> listener) implements NicCommand {}

    /**
     * Take the flow out of the quad hash; its place in a backlog is given back, and at the end of the request whatever else
     * it still holds. Without an entry, or when a queue pair has it: nothing happens.
     */
    record DeleteQuadHash() implements NicCommand {}

    /** One more use of the flow's local port. */
    record AddApbvt() implements NicCommand {}

    /** One use of the flow's local port less. */
    record DeleteApbvt() implements NicCommand {}

    /** Move the flow's place in its listener's backlog; {@link BacklogPlace#NONE} gives it back. */
    record MoveInBacklog(BacklogPlace to) implements NicCommand {}

    /** Send a segment through the flow's address handle. Without a handle: counted, nothing is sent. */
    record Transmit(Segment segment) implements NicCommand {}

    /**
     * Hand the connection to a queue pair: it owns TCP from here on, and on success the quad hash entry with it. It
     * copies the flow's addressing, so that the address handle stays the connection's to free. Answered by {@link NicEvent.QpEvent}s, first
     * {@link AsyncEvent.Code#LLP_CONNECTION_ESTABLISHED} on success, or by {@link NicEvent.ModifyQpFailed}.
     *
     * @param qp the queue pair
     * @param handOver everything but the addressing, which the NIC has
     */
    record ModifyQp(QpId qp, HandOver handOver) implements NicCommand {}

    /** Segments that arrived at the connection after its hand-over go back to the queue pair. */
    record Reinject(Segment segment) implements NicCommand {}

    /** The queue pair sends this Terminate, then closes. */
    record TerminateQp(QpId qp, TermCode code) implements NicCommand {}

    /** The queue pair closes gracefully: FIN after what is outstanding. */
    record CloseQp(QpId qp) implements NicCommand {}

    /** The queue pair goes to error: RST to the peer, flush, end. */
    record AbortQp(QpId qp) implements NicCommand {}

    /**
     * The flow ends and its TIME_WAIT is kept by the NIC: a compact row that answers late segments (RFC 9293 §3.6.1).
     * Takes the place of {@link DeleteQuadHash}. The NIC copies the addressing: the address handle stays the connection's
     * to free.
     *
     * @param row the last numbers
     */
    record EnterTimeWait(TimeWaitRow row) implements NicCommand {}

    /**
     * How the frames of a flow travel.
     *
     * @param priority 802.1Q PCP 0..7
     * @param trafficClass IPv4 TOS or IPv6 traffic class 0..255
     */
    record Path(int priority, int trafficClass) {
        public static final Path DEFAULT = new Path(0, 0);
    }

    /**
     * What a queue pair takes over, without the addressing.
     *
     * @param tcp TCP as the connection manager leaves it
     * @param rdma what MPA negotiation fixed
     * @param lsmm see {@link QpContext#lsmm()}
     */
    record HandOver(TcpHandOver tcp, RdmaParams rdma, io.iwcm.nic.wire.Octets lsmm) {}

    /**
     * What TIME_WAIT has to remember.
     *
     * @param sndNxt our next sequence number (after our FIN); a new incarnation's ISN must exceed it
     * @param rcvNxt the peer's next sequence number (after its FIN)
     * @param window the window field of our answers
     */
    record TimeWaitRow(SeqNum sndNxt, SeqNum rcvNxt, int window) {}

    /** A connection's place in its listener's backlog. */
    enum BacklogPlace {
        /** Counts against {@code syn-backlog} and {@code backlog}. */
        HALF_OPEN,
        /** Waits for the application: counts against {@code backlog}. */
        WAITING,
        /** Holds no place. */
        NONE
    }

    /**
     * A SYN entry of the quad hash: one concrete local endpoint that is listened on.
     *
     * @param local where; never a wildcard address
     * @param vlan see {@link FlowKey#vlan()}
     */
    record ListenKey(io.iwcm.nic.wire.Endpoint local, int vlan) {
        public static ListenKey of(FlowKey flow) {
            return new ListenKey(flow.local(), flow.vlan());
        }
    }
}
