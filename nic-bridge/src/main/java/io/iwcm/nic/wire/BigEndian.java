package io.iwcm.nic.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Network-order fields inside a {@code byte[]}. Bounds are the caller's affair: outside the array this throws. */
final class BigEndian {

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private BigEndian() {}

    static int octetAt(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    static int shortAt(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xffff;
    }

    static int intAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long longAt(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static MacAddress macAt(byte[] bytes, int at) {
        return new MacAddress((long) shortAt(bytes, at) << 32 | Integer.toUnsignedLong(intAt(bytes, at + 2)));
    }

    static Ipv4Address ipv4At(byte[] bytes, int at) {
        return new Ipv4Address(intAt(bytes, at));
    }

    static Ipv6Address ipv6At(byte[] bytes, int at) {
        return new Ipv6Address(longAt(bytes, at), longAt(bytes, at + 8));
    }

    static void putShort(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    static void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    static void putMac(byte[] bytes, int at, MacAddress mac) {
        putShort(bytes, at, (int) (mac.bits() >>> 32));
        putInt(bytes, at + 2, (int) mac.bits());
    }

    static void putIpv4(byte[] bytes, int at, Ipv4Address address) {
        putInt(bytes, at, address.bits());
    }

    static void putIpv6(byte[] bytes, int at, Ipv6Address address) {
        putLong(bytes, at, address.high());
        putLong(bytes, at + 8, address.low());
    }
}
