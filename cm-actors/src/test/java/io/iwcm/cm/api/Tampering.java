package io.iwcm.cm.api;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A link that a test has its hands on: what is sent may be changed or kept back, and is remembered. */
final class Tampering implements Link {

    private final Link link;
    private final List<byte[]> sent = new CopyOnWriteArrayList<>();
    private volatile Function<byte[], Optional<byte[]>> hand = Optional::of;

    Tampering(Link link) {
        this.link = link;
    }

    /** What becomes of each frame from here on; empty: it is lost. */
    void by(Function<byte[], Optional<byte[]>> change) {
        hand = change;
    }

    /** Every frame that was to be sent. */
    List<byte[]> sent() {
        return sent;
    }

    @Override
    public String name() {
        return link.name();
    }

    @Override
    public int mtu() {
        return link.mtu();
    }

    @Override
    public void start(Receiver receiver) {
        link.start(receiver);
    }

    @Override
    public void transmit(List<byte[]> frames) {
        sent.addAll(frames);
        link.transmit(
                frames.stream().flatMap(frame -> hand.apply(frame).stream()).toList());
    }

    @Override
    public LinkCounters counters() {
        return link.counters();
    }

    @Override
    public void close() {
        link.close();
    }
}
