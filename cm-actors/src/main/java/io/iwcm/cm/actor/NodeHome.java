package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What all nodes of a bucket share.
 *
 * @param incarnation the bucket's name in steering, and the one before it
 * @param bucket the bucket
 * @param bridge takes the nodes' requests
 * @param clock gives the time
 * @param params the same for every connection
 * @param counters count
 * @param observer watches
 * @param ignored takes answers that nobody waits for
 */
record NodeHome(
        Incarnation incarnation,
        ActorRef<IlqDispatcher.Command> bucket,
        ActorRef<Bridge.Command> bridge,
        NanoClock clock,
        CmParams params,
        CmCounters counters,
        CmObserver observer,
        ActorRef<NicControl.Answer> ignored) {

    /**
     * A bucket is somebody else each time it starts: nothing of its last life can be taken for its own.
     *
     * @param owner its name
     * @param replaces what it was called before it failed
     */
    record Incarnation(Owner owner, Optional<Owner> replaces) {}

    Owner owner() {
        return incarnation.owner();
    }

    /** By way of the bridge: when it has done what was ordered, and only if this bucket still has a say there. */
    void announce(Announcement<?> announcement) {
        bridge.tell(new Bridge.Tell(owner(), announcement));
    }

    void destroy(QpId qp) {
        bridge.tell(new Bridge.Control(new NicControl.DestroyQp(0, qp), ignored, Optional.of(owner())));
    }
}
