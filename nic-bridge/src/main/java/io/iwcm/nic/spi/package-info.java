/**
 * What a connection manager asks of an RNIC and what the RNIC tells it: the seam behind which a software RNIC, a DPU or
 * real hardware can stand.
 *
 * <p>Orders are {@link io.iwcm.nic.spi.NicCommand}s, travel in one {@link io.iwcm.nic.spi.NicRequest} per step of a
 * connection, are idempotent by id, and are answered by {@link io.iwcm.nic.spi.NicEvent}s. Values only: no threads, no
 * actors, no decisions.
 */
package io.iwcm.nic.spi;
