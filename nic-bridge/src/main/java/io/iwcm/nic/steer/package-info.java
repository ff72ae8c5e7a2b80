/**
 * The steering tables of a NIC: which frame belongs to whom, and what is needed to answer it.
 *
 * <p>{@link io.iwcm.nic.steer.QuadHash} says who owns a flow and who is listened for, {@link io.iwcm.nic.steer.SharedEntries} and
 * {@link io.iwcm.nic.steer.PortAllocator} which ports are ours, {@link io.iwcm.nic.steer.LocalAddresses},
 * {@link io.iwcm.nic.steer.Routes} and {@link io.iwcm.nic.steer.Neighbours} how a peer is reached, and
 * {@link io.iwcm.nic.steer.TimeWaits} what still answers for connections that are over.
 *
 * <p>Every table is a small machine for one thread: time comes in as an argument and never goes back, keyed hashing is
 * passed in, limits have names, and hitting one is counted in {@link io.iwcm.nic.steer.NicCounts}.
 */
@org.jspecify.annotations.NullMarked
package io.iwcm.nic.steer;
