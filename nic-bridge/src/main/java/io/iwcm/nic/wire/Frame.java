package io.iwcm.nic.wire;

/**
 * A received frame whose Ethernet header has been read.
 *
 * @param bytes the whole frame, never written to again
 * @param ethernet its header
 * @param origin where it came from
 */
record Frame(byte[] bytes, EthernetHeader ethernet, Origin origin) {}
