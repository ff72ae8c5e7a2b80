package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What all nodes of a bucket share.
 *
 * @param owner the bucket's name in steering
 * @param bucket the bucket
 * @param bridge takes the nodes' requests
 * @param clock gives the time
 * @param params the same for every connection
 * @param counters count
 * @param observer watches
 * @param ignored takes answers that nobody waits for
 */
record NodeHome(
        Owner owner,
        ActorRef<IlqDispatcher.Command> bucket,
        ActorRef<Bridge.Command> bridge,
        NanoClock clock,
        CmParams params,
        CmCounters counters,
        CmObserver observer,
        ActorRef<NicControl.Answer> ignored) {}
