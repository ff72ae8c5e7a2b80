/**
 * Where the NIC meets the actors: a stream of frame batches through the one thread that owns the RNIC, and the actor that
 * dispatchers and connections talk to.
 *
 * <p>{@link io.iwcm.nic.bridge.NicHost} owns link, RNIC and stream and may outlive an actor system;
 * {@link io.iwcm.nic.bridge.Bridge} is its face in one. What the RNIC has for a dispatcher is told to it directly, in order,
 * one message per batch.
 */
@NullMarked
package io.iwcm.nic.bridge;

import org.jspecify.annotations.NullMarked;
