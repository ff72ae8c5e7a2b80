package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.codec.Portable;

/** What an application is told of a connection. */
public sealed interface CmNotice extends Portable {

    /** Whose; accept, reject, disconnect and abort go there, and to where the latest notice says. */
    CmConnection connection();

    /**
     * Something happened.
     *
     * @param number counts the events of a connection, from 1; one that is not higher than the last has been told before
     * @param event what
     */
    record Event(CmConnection connection, long number, CmEvent event) implements CmNotice {}

    /**
     * The connection lives elsewhere from now on: its dispatcher has failed, and another went on with it. A call that has not
     * been answered is to be made again there: all of them may be repeated. Nothing else has changed.
     */
    record Moved(CmConnection connection) implements CmNotice {}
}
