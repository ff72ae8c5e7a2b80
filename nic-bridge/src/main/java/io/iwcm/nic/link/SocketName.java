package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;

/** {@code struct sockaddr_un}, {@code sockaddr_in} and {@code sockaddr_in6}, as Linux lays them out. */
final class SocketName {

    /** Room for any of them. */
    static final int OCTETS_MAX = 110;

    private static final int V4 = 16;
    private static final int V6 = 28;
    private static final int PATH = 2;
    private static final int PORT = 2;
    private static final int V4_ADDRESS = 4;
    private static final int V6_ADDRESS = 8;
    private static final int V6_SCOPE = 24;

    private SocketName() {}

    static int family(SocketAddress address) {
        return switch (address) {
            case UnixDomainSocketAddress _ -> Linux.AF_UNIX;
            case InetSocketAddress inet when inet.getAddress() instanceof Inet6Address -> Linux.AF_INET6;
            default -> Linux.AF_INET;
        };
    }

    static MemorySegment of(SocketPlace place, Arena arena) throws IOException {
        SocketAddress address = place.resolve();
        if (address instanceof UnixDomainSocketAddress unix) {
            byte[] path = unix.getPath().toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment name = arena.allocate(PATH + path.length + 1L, 4);
            name.set(JAVA_SHORT, 0, (short) Linux.AF_UNIX);
            MemorySegment.copy(path, 0, name, JAVA_BYTE, PATH, path.length);
            return name;
        }
        InetSocketAddress inet = (InetSocketAddress) address;
        InetAddress host = inet.getAddress();
        MemorySegment name = arena.allocate(host instanceof Inet6Address ? V6 : V4, 4);
        name.set(JAVA_SHORT, 0, (short) family(address));
        name.set(JAVA_SHORT, PORT, Short.reverseBytes((short) inet.getPort()));
        byte[] octets = host.getAddress();
        MemorySegment.copy(
                octets, 0, name, JAVA_BYTE, host instanceof Inet6Address ? V6_ADDRESS : V4_ADDRESS, octets.length);
        if (host instanceof Inet6Address v6) {
            name.set(JAVA_INT, V6_SCOPE, v6.getScopeId());
        }
        return name;
    }

    static int port(MemorySegment name) {
        return Short.reverseBytes(name.get(JAVA_SHORT, PORT)) & 0xffff;
    }

    /** The same path, or the same address and port: flow labels and what is after a path do not count. */
    static boolean isSame(MemorySegment one, MemorySegment other) {
        if (one.byteSize() < 2 || other.byteSize() < 2 || one.get(JAVA_SHORT, 0) != other.get(JAVA_SHORT, 0)) {
            return false;
        }
        return switch (one.get(JAVA_SHORT, 0)) {
            case Linux.AF_UNIX -> path(one).equals(path(other));
            case Linux.AF_INET -> areSame(one, other, PORT, V4_ADDRESS + 4);
            default -> areSame(one, other, PORT, PORT + 2) && areSame(one, other, V6_ADDRESS, V6_SCOPE);
        };
    }

    private static boolean areSame(MemorySegment one, MemorySegment other, int from, int to) {
        return one.byteSize() >= to
                && other.byteSize() >= to
                && one.asSlice(from, to - from).mismatch(other.asSlice(from, to - from)) < 0;
    }

    private static String path(MemorySegment name) {
        String path = new String(name.asSlice(PATH).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        int end = path.indexOf('\0');
        return end < 0 ? path : path.substring(0, end);
    }
}
