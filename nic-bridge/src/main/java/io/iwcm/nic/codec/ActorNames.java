package io.iwcm.nic.codec;

import org.apache.pekko.actor.typed.ActorRef;

/** How actors are called beyond this member. */
public interface ActorNames {

    String nameOf(ActorRef<?> actor);

    /** The actor of that name; one that nobody has, or never had, takes what it is told and does nothing. */
    ActorRef<?> named(String name);
}
