package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a connection stands. One record per state, holding only what that state has. */
public sealed interface CmState extends Checkpoint {

    StateName name();

    FlowKey flow();

    /** Whether the flow is this connection's; if not, the NIC knows it no more and need not keep this state. */
    boolean hasFlow();

    /** States of a connection that still has something to lose. */
    sealed interface Live extends CmState {
        Conn conn();

        @Override
        default FlowKey flow() {
            return conn().flow();
        }

        @Override
        default boolean hasFlow() {
            return true;
        }
    }

    /** States in which TCP runs in our hands: segments are judged by {@link Reception}. */
    sealed interface Synchronized extends Live {
        Tcb tcb();
    }

    /**
     * Nothing has been sent: the address handle, then steering is awaited.
     *
     * @param opening what the SYN or SYN-ACK will say
     */
    record Inited(Conn conn, Opening opening) implements Live {
        @Override
        public StateName name() {
            return StateName.INITED;
        }
    }

    /**
     * What is known before the first segment of ours.
     *
     * @param mtu IP MTU, 0 until the address handle is ready
     * @param peerIsn passive: SEG.SEQ of the SYN; active: unused
     * @param peerWindow passive: the SYN's window field
     * @param peerOptions passive: the SYN's options
     * @param isnAbove our initial sequence number must exceed this one
     * @param completed the handshake is complete already; {@code peerWindow} is in octets then
     */
    record Opening(
            int mtu,
            SeqNum peerIsn,
            int peerWindow,
            TcpOptions peerOptions,
            Optional<SeqNum> isnAbove,
            Optional<Completed> completed) {

        Opening(int mtu, SeqNum peerIsn, int peerWindow, TcpOptions peerOptions, Optional<SeqNum> isnAbove) {
            this(mtu, peerIsn, peerWindow, peerOptions, isnAbove, Optional.empty());
        }

        Opening withMtu(int octets) {
            return new Opening(octets, peerIsn, peerWindow, peerOptions, isnAbove, completed);
        }

        Opening with(Completed newer) {
            return new Opening(mtu, peerIsn, peerWindow, peerOptions, isnAbove, Optional.of(newer));
        }
    }

    /**
     * A handshake that a cookie has completed.
     *
     * @param iss our initial sequence number, acknowledged
     * @param offer what our SYN-ACK said
     * @param arrived what has arrived since, first the segment that brought the cookie back: to be taken in when we can answer
     */
    record Completed(SeqNum iss, SynOffer offer, List<Segment> arrived) {

        /** Most segments kept; the peer sends the others again. */
        private static final int ARRIVED_MAX = 8;

        public Completed {
            arrived = List.copyOf(arrived);
        }

        Completed and(Segment segment) {
            if (arrived.size() >= ARRIVED_MAX) {
                return this;
            }
            List<Segment> more = new ArrayList<>(arrived);
            more.add(segment);
            return new Completed(iss, offer, more);
        }
    }

    /**
     * Our SYN is out.
     *
     * @param iss its sequence number
     * @param mtu IP MTU
     * @param attempts retransmissions of the SYN
     * @param rtoNs present retransmission time-out
     * @param challenges resets sent to wrong ACKs are limited like challenge ACKs
     * @param troubled a router says that the peer cannot be reached: the reason if nobody answers
     */
    record SynSent(
            Conn conn, SeqNum iss, int mtu, int attempts, long rtoNs, Tcb.Challenges challenges, boolean troubled)
            implements Live {

        @Override
        public StateName name() {
            return StateName.SYN_SENT;
        }
    }

    /**
     * Our SYN-ACK is out. {@code tcb.flight()} is empty: the SYN-ACK is kept as what it says.
     *
     * @param synAck MSS and window scale of our SYN-ACK
     * @param attempts retransmissions of the SYN-ACK
     * @param rtoNs present retransmission time-out
     * @param troubled as in {@link SynSent}
     */
    record SynRcvd(Conn conn, Tcb tcb, TcpOptions synAck, int attempts, long rtoNs, boolean troubled)
            implements Synchronized {
        @Override
        public StateName name() {
            return StateName.SYN_RCVD;
        }
    }

    /** Passive: TCP stands, the MPA request is awaited. */
    record Established(Conn conn, Tcb tcb, Inbox inbox) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.ESTABLISHED;
        }
    }

    /** Active: the MPA request is out, the reply is awaited. */
    record MpaReqSent(Conn conn, Tcb tcb, Inbox inbox) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.MPAREQ_SENT;
        }
    }

    /**
     * Passive: the application decides.
     *
     * @param request what the peer asked
     * @param suggested what the application was told of our depths
     */
    record MpaReqRcvd(Conn conn, Tcb tcb, MpaFrame request, ReadDepths suggested) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.MPAREQ_RCVD;
        }
    }

    /** Passive: the application decides, but the peer has already closed its side; only the end can come. */
    record CloseWait(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.CLOSE_WAIT;
        }
    }

    /**
     * Passive: the application decides, but the connection is already lost and its flow given back; the answer is all that
     * is awaited.
     *
     * @param name MPAREQ_RCVD, or LISTENER_DESTROYED when the listener went
     * @param acceptFails what an accept is answered with
     */
    record Orphaned(Conn conn, StateName name, Cause acceptFails) implements Live {
        @Override
        public boolean hasFlow() {
            return false;
        }
    }

    /** Active: the peer has rejected and has yet to close. */
    record MpaRejRcvd(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.MPAREJ_RCVD;
        }
    }

    /**
     * A queue pair has the connection.
     *
     * @param qp which
     * @param progress how far it is
     * @param end what the application will be told as cause of the end
     */
    record Offloaded(Conn conn, QpId qp, Progress progress, Cause end) implements Live {

        /** Nobody waits for an answer any more. */
        Offloaded withoutCalls() {
            return progress instanceof Progress.TakingOver(var _, Outcome outcome, Tcb back)
                    ? new Offloaded(conn, qp, new Progress.TakingOver(List.of(), outcome, back), end)
                    : this;
        }

        /** With one more accept that waits for the same outcome. */
        Offloaded with(long call) {
            if (!(progress instanceof Progress.TakingOver(List<Long> calls, Outcome outcome, Tcb back))) return this;
            List<Long> more = new ArrayList<>(calls);
            more.add(call);
            return new Offloaded(conn, qp, new Progress.TakingOver(more, outcome, back), end);
        }

        @Override
        public StateName name() {
            return StateName.OFFLOADED;
        }
    }

    /** How far a connection is that a queue pair has. */
    sealed interface Progress {

        /**
         * The queue pair has not confirmed the take-over.
         *
         * @param calls passive: the accepts that wait for their answer, more than one when it was repeated
         * @param outcome what success will say
         * @param back for a failed take-over: TCP as we left it
         */
        record TakingOver(List<Long> calls, Outcome outcome, Tcb back) implements Progress {
            public TakingOver {
                calls = List.copyOf(calls);
            }
        }

        /** Passive, peer-to-peer model: accepted, the RTR or first FPDU is awaited. */
        record AwaitingRtr(Outcome outcome) implements Progress {}

        /**
         * Active: an accepting reply that we cannot live with; the queue pair is to send a Terminate, and has not
         * confirmed the take-over.
         *
         * @param back for a failed take-over: TCP as we left it
         */
        record Terminating(Tcb back) implements Progress {}

        /** Told to the application as success; data flows. */
        record Running() implements Progress {}

        /** Told to the application as success; on its way down; {@code told}: the disconnect has been told too. */
        record Closing(boolean told) implements Progress {}

        /** On its way down; the application knows all it will ever know. */
        record Silent() implements Progress {}
    }

    /** What the application is told on success. */
    record Outcome(
            ReadDepths depths,
            io.iwcm.cm.mpa.Negotiated.PeerDepths peer,
            io.iwcm.nic.wire.Octets privateData,
            boolean awaitsRtr) {}

    /** Our FIN is out and not acknowledged. */
    record FinWait1(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.FIN_WAIT1;
        }
    }

    /** Our FIN is acknowledged, the peer's is awaited. */
    record FinWait2(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.FIN_WAIT2;
        }
    }

    /** Both FINs are out, ours is not acknowledged. */
    record Closing(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.CLOSING;
        }
    }

    /** The peer has closed, our FIN is out and not acknowledged. */
    record LastAck(Conn conn, Tcb tcb) implements Synchronized {
        @Override
        public StateName name() {
            return StateName.LAST_ACK;
        }
    }

    /**
     * Over. Nothing is held, nothing is armed.
     *
     * @param cause why
     */
    record Closed(FlowKey flow, Cause cause) implements CmState {
        @Override
        public StateName name() {
            return StateName.CLOSED;
        }

        @Override
        public boolean hasFlow() {
            return false;
        }
    }
}
