package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.wire.Drop;
import java.util.OptionalLong;

/**
 * A SYN entry: an endpoint that is listened on, with its two limits and how many places are taken. Flows keep the entry
 * they came by: one that was taken out and entered again does not know the flows of the first.
 */
public final class SynEntry {

    private final ListenKey key;
    private int synBacklog;
    private int backlog;
    private int halfOpen;
    private int waiting;
    private boolean live;
    private SynOffer offer = SynOffer.DEFAULT;
    private OptionalLong lastCookieNs = OptionalLong.empty();

    SynEntry(ListenKey key) {
        this.key = key;
    }

    void limit(int synBacklog, int backlog, SynOffer offer) {
        this.synBacklog = synBacklog;
        this.backlog = backlog;
        this.offer = offer;
    }

    /** Whether a new connection would find a place: {@link Drop#NONE}, or the limit that is in its way. */
    public Drop admits() {
        if (halfOpen + waiting >= backlog) {
            return Drop.BACKLOG_FULL;
        }
        return halfOpen >= synBacklog ? Drop.SYN_BACKLOG_FULL : Drop.NONE;
    }

    /** Whether one whose handshake is complete, without having been half-open, would find a place. */
    public boolean takesCompleted() {
        return halfOpen + waiting < backlog;
    }

    void move(BacklogPlace from, BacklogPlace to) {
        count(from, -1);
        count(to, 1);
    }

    private void count(BacklogPlace place, int change) {
        switch (place) {
            case HALF_OPEN -> halfOpen += change;
            case WAITING -> waiting += change;
            case NONE -> {}
        }
    }

    public ListenKey key() {
        return key;
    }

    /** Whether the device lets its SYNs through. */
    public boolean isLive() {
        return live;
    }

    /** The device has it. */
    public void live() {
        live = true;
    }

    /** What its SYN-ACKs say. */
    public SynOffer offer() {
        return offer;
    }

    public void answeredWithCookie(long nowNs) {
        lastCookieNs = OptionalLong.of(nowNs);
    }

    /** When a SYN was last answered with a cookie; empty: never. */
    public OptionalLong lastCookieNs() {
        return lastCookieNs;
    }

    /** Connections whose handshake is not complete. */
    public int halfOpen() {
        return halfOpen;
    }

    /** Connections that wait for the application. */
    public int waiting() {
        return waiting;
    }
}
