package io.iwcm.nic.spi;

import io.iwcm.nic.spi.NicEvent.Failure;
import java.util.Optional;

/**
 * What an RNIC is made of below its policy: tables of entries, queue pairs and transmit buffers that are told by commands.
 * A command may take its time and may fail; who owns a flow, who shares an entry and who is told is decided above, and so
 * are the deadlines. {@code docs/device-spi.md} says what each command owes.
 *
 * <p>Called by the NIC's thread alone, and completions come on it too: while {@link #submit}, {@link #transmit} or
 * {@link #poll} is being called, never from another thread.
 */
public interface Device {

    /**
     * Starts a command. It completes exactly once, now or later, in any order with others. Two commands about one entry, one
     * handle or one queue pair are never under way at a time, but for {@link DeviceCommand.QpToError}, which may interrupt.
     *
     * @param id names it in its completion; grows
     */
    void submit(long id, DeviceCommand command, long nowNs, Completions to);

    /**
     * Sends a frame, after all that were given before. Its buffer is in use until the device says that it is free.
     *
     * @param frame handed over, with all headers
     */
    void transmit(byte[] frame, long nowNs, Completions to);

    /** Says what has completed since the last time, in that order. */
    void poll(long nowNs, Completions to);

    /** When {@link #poll} is to be called although no bell has rung, or {@link Long#MAX_VALUE}. */
    long nextPollNs();

    /**
     * Called once, before anything else.
     *
     * @param bell to be rung, from any thread, when there is something to {@link #poll}
     */
    void ringWith(Runnable bell);

    /** Where a device says what has come of its commands. */
    interface Completions {

        /** A command is done: without a failure it has taken effect; with one it has changed nothing. */
        void completed(long id, Optional<Failure> failed);

        /** A frame for the link that the RNIC shares with its device; its buffer is free when the link has taken it. */
        void toLink(byte[] frame);

        /** The oldest frames have left, or were lost: their buffers are free. */
        void buffersFree(int frames);
    }
}
