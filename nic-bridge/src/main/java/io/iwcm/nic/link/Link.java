package io.iwcm.nic.link;

import java.util.List;
import java.util.Map;

/**
 * One attachment to an Ethernet: whole frames, without FCS, in batches both ways. Frames are {@code byte[]}; whoever
 * hands one over never writes to it again.
 */
public interface Link extends AutoCloseable {

    /** For people and metrics: {@code tap:iwcm0}, {@code memory:a}. */
    String name();

    /** IP MTU in octets: frames carry at most this and their Ethernet and VLAN header. */
    int mtu();

    /**
     * Starts reception. At most once.
     *
     * @param receiver called by one thread at a time, in the order of arrival
     */
    void start(Receiver receiver);

    /**
     * Sends frames in order. Never blocks for long: what the link cannot take is dropped and counted.
     */
    void transmit(List<byte[]> frames);

    /** A snapshot of what this link has counted; safe from any thread. */
    LinkCounters counters();

    /** How often what can happen to this kind of link has happened, in the enum's order; safe from any thread. */
    default Map<LinkEvent, Long> events() {
        return Map.of();
    }

    /** Stops reception and gives the attachment back; idempotent. After return the receiver is not called any more. */
    @Override
    void close();

    /** Takes received frames. */
    @FunctionalInterface
    interface Receiver {
        /** A batch of at least one frame, handed over. */
        void frames(List<byte[]> batch);
    }
}
