package io.iwcm.cm.interop;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A link that loses the first frame we send that has certain octets in it. */
final class LosesFirst implements Link {

    private final Link link;
    private final String octets;
    private final AtomicBoolean lost = new AtomicBoolean();

    LosesFirst(Link link, byte[] octets) {
        this.link = link;
        this.octets = latin(octets);
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
        link.transmit(frames.stream()
                .filter(frame -> !latin(frame).contains(octets) || !lost.compareAndSet(false, true))
                .toList());
    }

    @Override
    public LinkCounters counters() {
        return link.counters();
    }

    @Override
    public void close() {
        link.close();
    }

    private static String latin(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1);
    }
}
