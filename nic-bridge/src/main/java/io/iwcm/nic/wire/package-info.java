/**
 * The bytes of a frame and their meaning: Ethernet, 802.1Q, ARP, IPv4, IPv6, ICMP, ICMPv6 and TCP.
 *
 * <p>Everything here is a fact about octets. Received frames are bounds-checked and checksum-verified once and become
 * immutable values; values become frames once. A peer's bytes never throw: what cannot be used is a {@link Drop} with a
 * name, and whoever called counts it. No clock, no thread, no logger, no knowledge of connections.
 */
package io.iwcm.nic.wire;
