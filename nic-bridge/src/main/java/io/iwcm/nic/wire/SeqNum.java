package io.iwcm.nic.wire;

/**
 * A TCP sequence number: 32 bits, compared modulo 2^32 (RFC 9293 §3.4).
 *
 * @param value the 32 bits as an int; print with {@link #toString()}, which shows them unsigned
 */
public record SeqNum(int value) {

    /** The number {@code octets} further on (negative: back), modulo 2^32. */
    public SeqNum plus(int octets) {
        return new SeqNum(value + octets);
    }

    /** How far this is ahead of {@code other}, in octets; negative when it is behind. */
    public int minus(SeqNum other) {
        return value - other.value;
    }

    public boolean before(SeqNum other) {
        return minus(other) < 0;
    }

    public boolean atOrBefore(SeqNum other) {
        return minus(other) <= 0;
    }

    public boolean after(SeqNum other) {
        return minus(other) > 0;
    }

    public boolean atOrAfter(SeqNum other) {
        return minus(other) >= 0;
    }

    /** Whether this lies in [{@code start}, {@code start} + {@code length}). */
    public boolean within(SeqNum start, int length) {
        int distance = minus(start);
        return distance >= 0 && distance < length;
    }

    @Override
    public String toString() {
        return Integer.toUnsignedString(value);
    }
}
