/**
 * The RNIC that ships: steering tables and queue pairs over any link, behind the {@link io.iwcm.nic.spi.Rnic} seam.
 *
 * <p>{@link io.iwcm.nic.rnic.SoftRnic} is a machine for one thread: frames, orders and time go in; frames, ILQ entries and
 * events come out while the call lasts. It reads no clock, draws no number and decides nothing about connections: whose a
 * frame is, what a NIC answers by itself (ARP, neighbour discovery, echo, TIME_WAIT, segments that nobody wants), and in
 * which order orders take effect.
 */
@org.jspecify.annotations.NullMarked
package io.iwcm.nic.rnic;
