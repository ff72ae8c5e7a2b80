package io.iwcm.nic.link;

/**
 * What passed a link.
 *
 * @param received frames handed to the receiver
 * @param sent frames the link has taken
 * @param receiveDropped frames lost on the way in (full queue, oversize)
 * @param sendDropped frames the link could not take
 */
public record LinkCounters(long received, long sent, long receiveDropped, long sendDropped) {}
