package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicCommand;

/** What a step wants done. Outputs are carried out in order; those to the NIC of one step travel as one message. */
public sealed interface CmOutput {

    /** An order to the NIC. */
    record ToNic(NicCommand command) implements CmOutput {}

    /**
     * Arm a timer; an armed one of that key is replaced.
     *
     * @param atNs when, on the clock that {@code nowNs} is read from
     * @param generation comes back in {@link CmInput.TimerTick}
     */
    record Arm(TimerKey key, long atNs, long generation) implements CmOutput {}

    /** Disarm a timer; without one: nothing happens. */
    record Disarm(TimerKey key) implements CmOutput {}

    /** Tell the application. */
    record Notify(CmEvent event) implements CmOutput {}

    /**
     * The answer to an application call, exactly one each: at once, or for an accept when the queue pair has answered.
     *
     * @param call the id of the call
     * @param cause {@link Cause#NONE}: done
     */
    record Answer(long call, Cause cause) implements CmOutput {}

    /** Count one. */
    record Count(CmCounter counter) implements CmOutput {}
}
