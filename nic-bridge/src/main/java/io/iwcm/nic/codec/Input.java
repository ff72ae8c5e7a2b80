package io.iwcm.nic.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Octets being read. Every length is held against what is left before anything is made of it, so that a message cannot
 * claim more memory than some multiple of its own size. Used by one thread.
 */
public final class Input {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** How often a type may hold itself, one within the other. */
    private static final int DEPTH_MAX = 16;

    private static final int VARINT_BITS = 64;

    private final ActorNames names;
    private final byte[] octets;
    private final int end;
    private final List<ActorRef<?>> actors = new ArrayList<>(2);
    private int at;
    private int depth;

    public Input(ActorNames names, byte[] octets) {
        this.names = names;
        this.octets = octets;
        this.end = octets.length;
    }

    public int left() {
        return end - at;
    }

    public int octet() {
        need(1);
        return octets[at++] & 0xff;
    }

    public boolean flag() {
        int value = octet();
        if (value > 1) throw new CodecException("a flag is " + value + ": 0 or 1 is allowed");
        return value == 1;
    }

    public long unsigned() {
        long value = 0;
        for (int shift = 0; shift < VARINT_BITS; shift += 7) {
            int octet = octet();
            value |= (long) (octet & 0x7f) << shift;
            if (octet < 0x80) return value;
        }
        throw new CodecException("a number has no end");
    }

    public long signed() {
        long value = unsigned();
        return (value >>> 1) ^ -(value & 1);
    }

    /** A signed number that fits an int. */
    public int signedInt() {
        long value = signed();
        if (value != (int) value) throw new CodecException("the number " + value + " does not fit 32 bits");
        return (int) value;
    }

    public int fixed16() {
        need(Short.BYTES);
        int value = (octets[at] & 0xff) << Byte.SIZE | (octets[at + 1] & 0xff);
        at += Short.BYTES;
        return value;
    }

    public int fixed32() {
        need(Integer.BYTES);
        int value = (int) INT.get(octets, at);
        at += Integer.BYTES;
        return value;
    }

    public long fixed64() {
        need(Long.BYTES);
        long value = (long) LONG.get(octets, at);
        at += Long.BYTES;
        return value;
    }

    /** So many octets, in an array of their own. */
    public byte[] raw(int count) {
        need(count);
        byte[] value = Arrays.copyOfRange(octets, at, at + count);
        at += count;
        return value;
    }

    /** A number of things to come, each of which takes an octet at least. */
    public int count() {
        long count = unsigned();
        if (count < 0 || count > left()) {
            throw new CodecException(
                    Long.toUnsignedString(count) + " things are announced and " + left() + " octets are left");
        }
        return (int) count;
    }

    /** Octets and their number. */
    public byte[] run() {
        return raw(count());
    }

    public String text() {
        int count = count();
        String text = new String(octets, at, count, StandardCharsets.UTF_8);
        at += count;
        return text;
    }

    /** One of {@code many}, numbered from 0. */
    public int oneOf(int many, String what) {
        long number = unsigned();
        if (number < 0 || number >= many) {
            throw new CodecException(
                    what + " has no form " + Long.toUnsignedString(number) + ": there are " + many + " of them");
        }
        return (int) number;
    }

    public ActorRef<?> actor() {
        int known = oneOf(actors.size() + 1, "the list of actors");
        if (known > 0) return actors.get(known - 1);
        ActorRef<?> actor = names.named(text());
        actors.add(actor);
        return actor;
    }

    void enter() {
        if (++depth > DEPTH_MAX)
            throw new CodecException("more than " + DEPTH_MAX + " of a kind are within each other");
    }

    void leave() {
        depth--;
    }

    private void need(int count) {
        if (count > left()) {
            throw new CodecException("the message ends within a value: " + left() + " octets are left of " + count);
        }
    }
}
