package io.iwcm.nic.link;

import java.util.concurrent.atomic.LongAdder;

/** The four counts of one link, added to from any thread. */
final class Tally {

    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder receiveDropped = new LongAdder();
    private final LongAdder sendDropped = new LongAdder();

    void received(int frames) {
        received.add(frames);
    }

    void sent(int frames) {
        sent.add(frames);
    }

    void receiveDropped(int frames) {
        receiveDropped.add(frames);
    }

    void sendDropped(int frames) {
        sendDropped.add(frames);
    }

    LinkCounters snapshot() {
        return new LinkCounters(received.sum(), sent.sum(), receiveDropped.sum(), sendDropped.sum());
    }
}
