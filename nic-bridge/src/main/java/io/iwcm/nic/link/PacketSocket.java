package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A raw packet socket that is bound to one interface and filters by MAC address, and what can be asked of it. Made deaf,
 * and bound last: so nothing of another interface, and nothing for somebody else, is ever in its queue.
 */
final class PacketSocket {

    static final int SOL_PACKET = 263;
    static final int PACKET_AUXDATA = 8;

    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PACKET_STATISTICS = 6;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int MEMBER_PROMISCUOUS = 1;
    private static final int MEMBER_ALL_GROUPS = 2;
    private static final int SO_RCVBUF = 8;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int RECEIVE_QUEUE = 8 << 20;
    private static final long SIOCGIFFLAGS = 0x8913;
    private static final long SIOCGIFMTU = 0x8921;
    private static final long SIOCGIFHWADDR = 0x8927;
    private static final long SIOCGIFINDEX = 0x8933;
    private static final int IFF_UP = 0x0001;
    private static final int IFF_RUNNING = 0x0040; // Has a carrier.
    private static final int ARPHRD_ETHER = 1;
    private static final int ARPHRD_LOOPBACK = 772;
    private static final int IFREQ = 40; // struct ifreq: the name, then a union of 24 octets.
    private static final int IFREQ_VALUE = 16;
    private static final short EVERY_PROTOCOL = 0x0300; // ETH_P_ALL in network order.

    private final PacketOptions options;
    private final int fd;
    private final int index;
    private final int mtu;
    private final MemorySegment asked; // The reader's, once it runs.
    private final MemorySegment statistics;
    private final MemorySegment statisticsLength;
    private final boolean up;

    private PacketSocket(PacketOptions options, int fd, Arena arena, Linux calls) {
        this.options = options;
        this.fd = fd;
        this.asked = arena.allocate(IFREQ, 8);
        this.statistics = arena.allocate(8, 4);
        this.statisticsLength = arena.allocate(JAVA_INT);
        check(ask(calls, SIOCGIFINDEX), "there is no such interface");
        this.index = asked.get(JAVA_INT, IFREQ_VALUE);
        check(ask(calls, SIOCGIFMTU), "its MTU cannot be read");
        this.mtu = asked.get(JAVA_INT, IFREQ_VALUE);
        this.up = state(calls) == State.UP;
    }

    /** Whether frames can pass. */
    enum State {
        UP,
        DOWN,
        GONE
    }

    static PacketSocket open(PacketOptions options, Arena arena) {
        Linux calls = new Linux(arena);
        int fd = calls.socket(Linux.AF_PACKET, Linux.SOCK_RAW | Linux.O_NONBLOCK, 0);
        if (fd == -Linux.EPERM) {
            throw new LinkException("the network interface " + options.name()
                    + " cannot be opened: a packet socket needs root or CAP_NET_RAW");
        }
        if (fd < 0) {
            throw new LinkException("the network interface " + options.name() + " cannot be opened: no packet socket: "
                    + Linux.words(-fd));
        }
        try {
            PacketSocket socket = new PacketSocket(options, fd, arena, calls);
            socket.prepare(arena, calls);
            return socket;
        } catch (LinkException e) {
            calls.close(fd);
            throw e;
        }
    }

    int fd() {
        return fd;
    }

    int mtu() {
        return mtu;
    }

    boolean isUp() {
        return up;
    }

    State state(Linux calls) {
        if (ask(calls, SIOCGIFINDEX) < 0 || asked.get(JAVA_INT, IFREQ_VALUE) != index) {
            return State.GONE;
        }
        int flags = ask(calls, SIOCGIFFLAGS) < 0 ? 0 : asked.get(JAVA_SHORT, IFREQ_VALUE);
        return (flags & IFF_UP) != 0 && (flags & IFF_RUNNING) != 0 ? State.UP : State.DOWN;
    }

    /** Frames that the kernel has dropped since the last time because the socket's queue was full. */
    int overflows(Linux calls) {
        statisticsLength.set(JAVA_INT, 0, (int) statistics.byteSize());
        int result = calls.option(fd, SOL_PACKET, PACKET_STATISTICS, statistics, statisticsLength);
        return result < 0 ? 0 : statistics.get(JAVA_INT, 4);
    }

    private void prepare(Arena arena, Linux calls) {
        check(ask(calls, SIOCGIFHWADDR), "its address cannot be read");
        int hardware = asked.get(JAVA_SHORT, IFREQ_VALUE) & 0xffff;
        if (hardware != ARPHRD_ETHER && hardware != ARPHRD_LOOPBACK) {
            throw refusal("it is not an Ethernet");
        }
        long interfaceMac = 0;
        for (int at = 0; at < 6; at++) {
            interfaceMac = interfaceMac << 8 | (asked.get(JAVA_BYTE, IFREQ_VALUE + 2 + at) & 0xff);
        }
        check(calls.setOption(fd, Linux.SOL_SOCKET, SO_ATTACH_FILTER, filter(arena)), "its filter cannot be set");
        MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
        check(calls.setOption(fd, SOL_PACKET, PACKET_AUXDATA, on), "it cannot tell of VLAN tags");
        calls.setOption(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, on); // Before 4.20 we look ourselves.
        MemorySegment queue = arena.allocateFrom(JAVA_INT, RECEIVE_QUEUE);
        if (calls.setOption(fd, Linux.SOL_SOCKET, SO_RCVBUFFORCE, queue) < 0) {
            calls.setOption(fd, Linux.SOL_SOCKET, SO_RCVBUF, queue); // As much as it may be without CAP_NET_ADMIN.
        }
        check(calls.bind(fd, address(arena)), "it cannot be bound to");
        join(arena, calls, MEMBER_ALL_GROUPS); // Neighbour discovery asks by groups.
        if (interfaceMac != options.mac()) {
            join(arena, calls, MEMBER_PROMISCUOUS);
        }
    }

    /** {@code struct sockaddr_ll} */
    private MemorySegment address(Arena arena) {
        MemorySegment address = arena.allocate(20, 4);
        address.set(JAVA_SHORT, 0, (short) Linux.AF_PACKET);
        address.set(JAVA_SHORT, 2, EVERY_PROTOCOL);
        address.set(JAVA_INT, 4, index);
        return address;
    }

    /** {@code struct packet_mreq} */
    private void join(Arena arena, Linux calls, int what) {
        MemorySegment membership = arena.allocate(16, 4);
        membership.set(JAVA_INT, 0, index);
        membership.set(JAVA_SHORT, 4, (short) what);
        check(calls.setOption(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership), "it cannot be told what to receive");
    }

    /** Classic BPF: a group's frame, or one to our MAC address; {@code struct sock_fprog} of {@code struct sock_filter}. */
    private MemorySegment filter(Arena arena) {
        long[][] program = {
            {0x30, 0, 0, 0}, // A = octet 0
            {0x45, 4, 0, 1}, // the group bit: accept
            {0x20, 0, 0, 0}, // A = octets 0 to 3
            {0x15, 0, 3, options.mac() >>> 16}, // not ours: refuse
            {0x28, 0, 0, 4}, // A = octets 4 and 5
            {0x15, 0, 1, options.mac() & 0xffff}, // not ours: refuse
            {0x06, 0, 0, 0xffff_ffffL}, // accept
            {0x06, 0, 0, 0}, // refuse
        };
        MemorySegment instructions = arena.allocate(program.length * 8L, 8);
        for (int at = 0; at < program.length; at++) {
            instructions.set(JAVA_SHORT, at * 8L, (short) program[at][0]);
            instructions.set(JAVA_BYTE, at * 8L + 2, (byte) program[at][1]);
            instructions.set(JAVA_BYTE, at * 8L + 3, (byte) program[at][2]);
            instructions.set(JAVA_INT, at * 8L + 4, (int) program[at][3]);
        }
        MemorySegment filter = arena.allocate(16, 8);
        filter.set(JAVA_SHORT, 0, (short) program.length);
        filter.set(ADDRESS, 8, instructions);
        return filter;
    }

    private int ask(Linux calls, long what) {
        byte[] name = options.name().getBytes(StandardCharsets.UTF_8);
        asked.fill((byte) 0);
        MemorySegment.copy(name, 0, asked, JAVA_BYTE, 0, Math.min(name.length, 15));
        return calls.ioctl(fd, what, asked);
    }

    private void check(int result, String words) {
        if (result < 0) {
            throw refusal(result == -Linux.ENODEV ? "there is no such interface" : words + ": " + Linux.words(-result));
        }
    }

    private LinkException refusal(String why) {
        return new LinkException("the network interface " + options.name() + " cannot be opened: " + why);
    }
}
