package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;

/**
 * What was given to TCP and is not yet acknowledged. Remembers where each message began, so that no segment carries
 * octets of two of them: an FPDU that fits starts a segment (RFC 5044 §3.2.1), whether it is sent once or again.
 */
final class SendBuffer {

    private final ArrayDeque<Octets> messages = new ArrayDeque<>();
    private SeqNum start;
    private int length;

    SendBuffer(SeqNum start) {
        this.start = start;
    }

    void append(Octets message) {
        if (!message.isEmpty()) {
            messages.add(message);
            length += message.length();
        }
    }

    /** The number after the last octet. */
    SeqNum end() {
        return start.plus(length);
    }

    int length() {
        return length;
    }

    /** At most {@code most} octets from {@code from} on, to the end of the message there; none from {@link #end()} on. */
    Octets run(SeqNum from, int most) {
        int skip = from.minus(start);
        for (Octets message : messages) {
            if (skip < message.length()) {
                return message.slice(skip, Math.min(most, message.length() - skip));
            }
            skip -= message.length();
        }
        return Octets.EMPTY;
    }

    /** Forgets what lies before {@code number}. */
    void acknowledge(SeqNum number) {
        int acknowledged = Math.min(length, number.minus(start));
        start = start.plus(acknowledged);
        length -= acknowledged;
        while (acknowledged > 0) {
            Octets first = messages.remove();
            if (acknowledged < first.length()) {
                messages.addFirst(first.from(acknowledged));
            }
            acknowledged -= first.length();
        }
    }
}
