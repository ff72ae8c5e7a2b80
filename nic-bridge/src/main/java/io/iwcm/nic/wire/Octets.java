package io.iwcm.nic.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Checksum;

/**
 * An immutable run of octets: a window onto an array that nobody writes to any more. Equal by content.
 */
public final class Octets {

    public static final Octets EMPTY = new Octets(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Octets(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Takes the array over: the caller never writes to it again. */
    public static Octets wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new Octets(array, 0, array.length);
    }

    /** Takes a window of the array over: the caller never writes to it again. */
    public static Octets wrap(byte[] array, int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, array.length);
        return length == 0 ? EMPTY : new Octets(array, offset, length);
    }

    public static Octets copyOf(byte[] array) {
        return wrap(array.clone());
    }

    /** Reads hex digits; white space between octets is skipped. */
    public static Octets ofHex(String hex) {
        return wrap(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
    }

    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** The octet at {@code index}, 0..255. */
    public int at(int index) {
        java.util.Objects.checkIndex(index, length);
        return array[offset + index] & 0xff;
    }

    /** Two octets from {@code index}, big endian. */
    public int shortAt(int index) {
        return at(index) << 8 | at(index + 1);
    }

    /** Four octets from {@code index}, big endian. */
    public int intAt(int index) {
        return shortAt(index) << 16 | shortAt(index + 2);
    }

    /** Eight octets from {@code index}, big endian. */
    public long longAt(int index) {
        return (long) intAt(index) << 32 | Integer.toUnsignedLong(intAt(index + 4));
    }

    /** A window of this window; nothing is copied. */
    public Octets slice(int from, int count) {
        java.util.Objects.checkFromIndexSize(from, count, length);
        return count == length ? this : wrap(array, offset + from, count);
    }

    /** All from {@code from} to the end; nothing is copied. */
    public Octets from(int from) {
        return slice(from, length - from);
    }

    /** This and then {@code next}, in a fresh array (or one of the two when the other is empty). */
    public Octets concat(Octets next) {
        if (next.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return next;
        }
        byte[] both = new byte[length + next.length];
        copyTo(both, 0);
        next.copyTo(both, length);
        return wrap(both);
    }

    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    /** The same octets as a buffer that cannot be written to; nothing is copied. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    }

    /** Lets a checksum have all of it. */
    public void update(Checksum sum) {
        sum.update(array, offset, length);
    }

    /** A fresh array of the content. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** The content in lower-case hex. */
    public String toHex() {
        return HexFormat.of().formatHex(array, offset, offset + length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return length <= 32
                ? "(" + length + ") " + toHex()
                : "(" + length + ") " + slice(0, 32).toHex() + "..";
    }
}
