package io.iwcm.nic.bridge;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.verbs.VerbsOrder;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/** What the thread that owns the RNIC can be asked to do. */
sealed interface NicInput {

    record Requested(Owner from, NicRequest request) implements NicInput {}

    /** The id of {@code order} is the sender's; the NIC sees one of its own. */
    record Ordered(NicControl order, ActorRef<NicControl.Answer> replyTo) implements NicInput {}

    record Attached(
            Owner owner, Optional<Owner> replaces, ActorRef<Bridge.Delivered> to, ActorRef<NicControl.Answer> replyTo)
            implements NicInput {}

    record Detached(Owner owner, ActorRef<Bridge.Delivered> from, boolean handsOn) implements NicInput {}

    record Granted(Owner owner, int entries) implements NicInput {}

    /** To be sent when all that was asked before has been done. */
    record Announced(Announcement<?> announcement) implements NicInput {}

    record Inspected(Consumer<Rnic> look) implements NicInput {}

    /** An application's, about memory and work. */
    record Worked(VerbsOrder order) implements NicInput {}

    /** The RNIC has something to do before it is due. */
    record Rung() implements NicInput {}

    record Stopped() implements NicInput {}
}
