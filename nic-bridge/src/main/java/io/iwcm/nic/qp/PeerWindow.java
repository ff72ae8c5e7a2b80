package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;

/** The window that the peer offers, as the newest of its segments says (RFC 9293 §3.10.7.4, fifth step). */
final class PeerWindow {

    private final int scale;
    private int window;
    private int largest;
    private SeqNum seq;
    private SeqNum ack;

    PeerWindow(TcpHandOver tcp) {
        this.scale = tcp.send().scale();
        this.window = tcp.send().window();
        this.largest = Math.max(tcp.send().maxWindow(), window);
        this.seq = tcp.receive().nxt();
        this.ack = tcp.send().una();
    }

    /** From the oldest number that is not acknowledged on, in octets. */
    int window() {
        return window;
    }

    /** The largest there was. */
    int largest() {
        return largest;
    }

    boolean isRepeatedBy(Segment segment) {
        return segment.window() << scale == window;
    }

    /**
     * Takes the window of a segment that acknowledges the oldest unacknowledged number or more. False: it is older than what
     * is known. What acknowledges more is newer even when it is a retransmission, which the RFC's rule would refuse: the
     * window would then be counted from an acknowledgement to which it does not belong, and reach too far.
     */
    boolean update(Segment segment) {
        boolean newer = segment.ack().after(ack)
                || seq.before(segment.seq())
                || (seq.equals(segment.seq()) && ack.equals(segment.ack()));
        if (newer) {
            window = segment.window() << scale;
            largest = Math.max(largest, window);
            seq = segment.seq();
            ack = segment.ack();
        }
        return newer;
    }
}
