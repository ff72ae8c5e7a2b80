package io.iwcm.nic.codec;

import io.iwcm.nic.wire.Octets;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** Octets being written: grows as needed. Used by one thread. */
public final class Output {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** A varint of 64 bits takes ten octets. */
    private static final int VARINT_OCTETS_MAX = 10;

    private final ActorNames names;
    private final Map<ActorRef<?>, Integer> actors = new HashMap<>();
    private byte[] octets;
    private int length;

    public Output(ActorNames names, int capacity) {
        this.names = names;
        this.octets = new byte[capacity];
    }

    /** Empty again, for the next message. */
    void clear() {
        length = 0;
        if (!actors.isEmpty()) actors.clear();
    }

    public void octet(int value) {
        room(1);
        octets[length++] = (byte) value;
    }

    public void flag(boolean value) {
        octet(value ? 1 : 0);
    }

    /** A number that is mostly small and never negative: seven bits an octet. */
    public void unsigned(long value) {
        room(VARINT_OCTETS_MAX);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            octets[length++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        octets[length++] = (byte) left;
    }

    /** A number that is mostly near zero, on either side. */
    public void signed(long value) {
        unsigned((value << 1) ^ (value >> 63));
    }

    /** The low 16 bits. */
    public void fixed16(int value) {
        room(Short.BYTES);
        octets[length++] = (byte) (value >>> Byte.SIZE);
        octets[length++] = (byte) value;
    }

    /** A number of 32 bits, all alike. */
    public void fixed32(int value) {
        room(Integer.BYTES);
        INT.set(octets, length, value);
        length += Integer.BYTES;
    }

    /** A number of 64 bits, all alike. */
    public void fixed64(long value) {
        room(Long.BYTES);
        LONG.set(octets, length, value);
        length += Long.BYTES;
    }

    /** Octets without their number. */
    public void raw(byte[] from) {
        room(from.length);
        System.arraycopy(from, 0, octets, length, from.length);
        length += from.length;
    }

    /** Valid until the next is written. */
    byte[] array() {
        return octets;
    }

    /** Octets and their number. */
    public void run(Octets from) {
        unsigned(from.length());
        room(from.length());
        from.copyTo(octets, length);
        length += from.length();
    }

    /** Octets and their number. */
    public void run(byte[] from) {
        unsigned(from.length);
        raw(from);
    }

    public void text(String text) {
        run(text.getBytes(StandardCharsets.UTF_8));
    }

    /** An actor, by name the first time in a message and by number from then on. */
    public void actor(ActorRef<?> actor) {
        Integer known = actors.putIfAbsent(actor, actors.size() + 1);
        if (known != null) {
            unsigned(known);
        } else {
            unsigned(0);
            text(names.nameOf(actor));
        }
    }

    public int length() {
        return length;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(octets, length);
    }

    /** Into a buffer that may be too small: it says so as buffers do. */
    void copyTo(ByteBuffer buffer) {
        buffer.put(octets, 0, length);
    }

    private void room(int count) {
        if (octets.length - length < count) {
            octets = Arrays.copyOf(octets, Math.max(length + count, octets.length * 2));
        }
    }
}
