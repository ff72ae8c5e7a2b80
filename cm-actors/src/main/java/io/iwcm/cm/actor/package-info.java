/**
 * The actors: thin shells around the protocol core.
 *
 * <p>{@code CmGuardian} starts and stops the rest. {@code IlqDispatcher} is several: buckets with a table and children of
 * their own, among which the NIC divides the flows. {@code CmNode} is one connection: it runs the machine and carries its
 * outputs out. {@code Listeners} decides which listener has which SYN entry, as addresses come and go; {@code Listener} is
 * one listening endpoint.
 *
 * <p>Everything that is told to a connection goes through its bucket, so that nothing is lost when it ends and its calls are
 * answered when it is gone. Whoever is told of connections is a {@code CmConsumer}.
 */
@NullMarked
package io.iwcm.cm.actor;

import org.jspecify.annotations.NullMarked;
