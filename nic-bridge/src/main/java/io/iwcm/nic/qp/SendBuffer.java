package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;

/**
 * What was given to TCP and is not yet acknowledged, up to a limit. Remembers where each message began, so that no segment
 * carries octets of two of them: an FPDU that fits starts a segment (RFC 5044 §3.2.1), whether it is sent once or again.
 * Nothing is copied.
 */
final class SendBuffer {

    /**
     * Octets beyond the limit that control messages may take: the MPA frame and the RTR at take-over, and the Terminate
     * that has to go out however much is queued. Together they need less.
     */
    static final int CONTROL_RESERVE = 4096;

    private static final int MESSAGES_LEAST = 16; // A power of two, as its doubles.

    private final int octetsMax;
    /** A ring: the messages from {@link #first} on, each with the number of its first octet. */
    private Octets[] messages = new Octets[MESSAGES_LEAST];

    private int[] starts = new int[MESSAGES_LEAST];
    private int first;
    private int count;
    private SeqNum start;
    private SeqNum end;

    SendBuffer(SeqNum start, int octetsMax) {
        this.start = start;
        this.end = start;
        this.octetsMax = octetsMax;
    }

    /** How many octets may be appended now. */
    int room() {
        return Math.max(0, octetsMax - length());
    }

    /** Appends a message that fits into {@link #room()}; anything else is the caller's error. */
    void append(Octets message) {
        append(message, room());
    }

    /** Appends a message that may use {@link #CONTROL_RESERVE} as well. */
    void appendControl(Octets message) {
        append(message, octetsMax + CONTROL_RESERVE - length());
    }

    private void append(Octets message, int most) {
        if (message.length() > most) {
            throw new IllegalStateException("no room for " + message.length() + " octets: there is some for " + most);
        }
        if (message.isEmpty()) {
            return;
        }
        if (count == messages.length) {
            grow();
        }
        int at = slot(count);
        messages[at] = message;
        starts[at] = end.value();
        count++;
        end = end.plus(message.length());
    }

    private void grow() {
        Octets[] more = new Octets[2 * count];
        int[] moreStarts = new int[2 * count];
        for (int i = 0; i < count; i++) {
            more[i] = messages[slot(i)];
            moreStarts[i] = starts[slot(i)];
        }
        messages = more;
        starts = moreStarts;
        first = 0;
    }

    private int slot(int index) {
        return (first + index) & (messages.length - 1);
    }

    /** The number of the first octet that is not acknowledged. */
    SeqNum start() {
        return start;
    }

    /** The number after the last octet. */
    SeqNum end() {
        return end;
    }

    int length() {
        return end.minus(start);
    }

    /** At most {@code most} octets from {@code from} on, to the end of the message there; none from {@link #end()} on. */
    Octets run(SeqNum from, int most) {
        if (from.atOrAfter(end)) {
            return Octets.EMPTY;
        }
        int at = slot(indexOf(from));
        Octets message = messages[at];
        int skip = from.value() - starts[at];
        return message.slice(skip, Math.min(most, message.length() - skip));
    }

    /** What {@link #run} would give, counted only. */
    int runLength(SeqNum from, int most) {
        if (from.atOrAfter(end)) {
            return 0;
        }
        int at = slot(indexOf(from));
        return Math.min(most, messages[at].length() - (from.value() - starts[at]));
    }

    /** The last message that starts at or before {@code number}. */
    private int indexOf(SeqNum number) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (number.value() - starts[slot(middle)] >= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Forgets what lies before {@code number}, as soon as no octet of its message is needed. */
    void acknowledge(SeqNum number) {
        start = number.after(end) ? end : number;
        while (count > 0 && start.value() - starts[first] >= messages[first].length()) {
            messages[first] = Octets.EMPTY;
            first = slot(1);
            count--;
        }
    }
}
