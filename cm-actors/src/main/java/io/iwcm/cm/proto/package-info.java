/**
 * The protocol core: what one connection does with whatever happens to it. {@link io.iwcm.cm.proto.CmMachine#step} takes
 * a state and an input and returns the next state and a list of outputs. Nothing else goes in or comes out: no clock, no
 * randomness, no logger, no configuration. It runs the same in an actor, in a script with virtual time and in a
 * simulation.
 *
 * <p>Read {@code CmState}, then {@code CmInput}, then {@code CmMachine} and the state families it delegates to.
 */
package io.iwcm.cm.proto;
