package io.iwcm.nic.spi;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import java.util.Optional;

/**
 * An RNIC as its bridge drives it: frames, orders and time go in, frames, ILQ entries and events come out. Called by one
 * thread at a time; reads no clock; {@code nowNs} never goes back.
 */
public interface Rnic {

    /** Frames from the link, handed over. */
    void frames(List<byte[]> batch, long nowNs, Output out);

    /** A step of a connection wants this done. Idempotent by flow, epoch and id. */
    void request(Owner from, NicRequest request, long nowNs, Output out);

    /** An order that is not about one connection. Answered once, possibly later. */
    void control(NicControl control, long nowNs, Output out);

    /**
     * Called once, before anything else.
     *
     * @param wake to be run, from any thread, when {@link #tick} has something to do before it is due
     */
    default void wakeWith(Runnable wake) {}

    /** The link has taken this many of the oldest frames that went to {@link Output#transmit}: their buffers are free. */
    default void transmitted(int frames) {}

    /** Does what is due. */
    void tick(long nowNs, Output out);

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    long nextDeadlineNs();

    /** Where results go; called while an input is being worked on, in order. */
    interface Output {
        /** A frame for the link, handed over. */
        void transmit(byte[] frame);

        /** An ILQ entry for a dispatcher. */
        void ilq(Owner to, IlqEntry entry);

        /** Something about a flow for its owner. */
        void event(Owner to, FlowEvent event);

        /** An adoption or a letter for a dispatcher. */
        void deliver(Owner to, Delivery delivery);

        /** The answer to a control order. */
        void answer(NicControl.Answer answer);
    }

    /** What a dispatcher is told, in one order: frames and events of a flow must not overtake each other. */
    sealed interface Delivery {}

    /**
     * What the ILQ delivers: a verified TCP frame of a flow that no queue pair has.
     *
     * @param frame the frame
     * @param listener the SYN entry that caught it; empty when the flow itself is in the quad hash, or will be
     * @param isnAbove a SYN that reopens a flow in TIME_WAIT: our initial sequence number must exceed this one, the largest
     *     that the flow's last connection used (RFC 9293 §3.6.1, MAY-2); else empty
     * @param completed the frame completes a handshake that the NIC has answered with a cookie; else empty
     */
    record IlqEntry(
            TcpFrame frame,
            Optional<NicCommand.ListenKey> listener,
            Optional<SeqNum> isnAbove,
            Optional<SynCompleted> completed)
            implements Delivery {

        public IlqEntry(TcpFrame frame, Optional<NicCommand.ListenKey> listener) {
            this(frame, listener, Optional.empty(), Optional.empty());
        }
    }

    /**
     * What a cookie remembered of a handshake that nobody else does. The flow has a place among those that wait for the
     * application, and whoever it is delivered to prepares it.
     *
     * @param peerIsn the peer's initial sequence number
     * @param ourIsn ours, which the peer has acknowledged
     * @param peerOptions MSS, perhaps a little less than the peer said, and window scale of the peer's SYN
     * @param offer what our SYN-ACK said
     */
    record SynCompleted(SeqNum peerIsn, SeqNum ourIsn, TcpOptions peerOptions, SynOffer offer) {}

    /**
     * An event of a flow.
     *
     * @param flow the connection
     * @param epoch the epoch of the flow's entry, 0 without one
     * @param number counts the events of the flow's entry, from 1, whoever owned it; 0: of no entry, there is nothing to
     *     acknowledge
     * @param event what happened
     */
    record FlowEvent(FlowKey flow, long epoch, long number, NicEvent event) implements Delivery {

        public FlowEvent(FlowKey flow, long epoch, NicEvent event) {
            this(flow, epoch, 0, event);
        }
    }

    /**
     * The flow of a dispatcher that is gone is this one's from now on.
     *
     * @param flow the connection
     * @param epoch under which it is owned from here on, higher than all before
     * @param checkpoint what its last owner stored last
     * @param events those that its last owner had not acknowledged, in order
     */
    record Adopt(FlowKey flow, long epoch, Checkpoint checkpoint, List<FlowEvent> events) implements Delivery {
        public Adopt {
            events = List.copyOf(events);
        }
    }

    /** The dispatcher is none any more: its flows are others', and whatever it still orders is not done. */
    record Dismissed() implements Delivery {}

    /** A letter for the owner of a flow, who has heard of the flow before. */
    record Forwarded(FlowKey flow, Letter letter) implements Delivery {}
}
