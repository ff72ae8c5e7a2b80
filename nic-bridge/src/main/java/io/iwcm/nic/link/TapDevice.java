package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/**
 * The descriptor of an attached TAP interface, and how one is obtained: {@code open} the device, {@code TUNSETIFF}, then
 * MTU and flags through a socket of the same network namespace. Once attached it works on when the interface is moved into
 * another namespace.
 */
final class TapDevice {

    static final String DEVICE = "/dev/net/tun";

    private static final long TUNSETIFF = 0x400454caL;
    private static final long SIOCGIFFLAGS = 0x8913;
    private static final long SIOCSIFFLAGS = 0x8914;
    private static final long SIOCGIFMTU = 0x8921;
    private static final long SIOCSIFMTU = 0x8922;
    private static final short IFF_TAP = 0x0002;
    private static final short IFF_NO_PI = 0x1000; // Frames begin with the Ethernet header, nothing before it.
    private static final short IFF_UP = 0x0001;
    private static final int IFREQ = 40; // struct ifreq: the name, then a union of 24 octets.
    private static final int IFREQ_VALUE = 16;

    private final int fd;
    private final int mtu;

    private TapDevice(int fd, int mtu) {
        this.fd = fd;
        this.mtu = mtu;
    }

    static TapDevice open(TapOptions options, String devicePath) {
        Linux.Platform.require();
        try (Arena arena = Arena.ofConfined()) {
            return new Opening(options, devicePath, new Linux(arena), arena).open();
        }
    }

    int fd() {
        return fd;
    }

    int mtu() {
        return mtu;
    }

    /** What it takes to open one; everything is undone when a step fails. */
    private record Opening(TapOptions options, String devicePath, Linux linux, Arena arena) {

        TapDevice open() {
            int socket = check(linux.socket(), errno -> "no socket to configure it with: " + Linux.words(errno));
            try {
                if (options.mustExist()) {
                    check(linux.ioctl(socket, SIOCGIFFLAGS, request()), this::whyMissing);
                }
                int fd = check(
                        linux.open(arena.allocateFrom(devicePath), Linux.O_RDWR | Linux.O_NONBLOCK | Linux.O_CLOEXEC),
                        this::whyNoDevice);
                try {
                    return attach(fd, socket);
                } catch (LinkException e) {
                    linux.close(fd);
                    throw e;
                }
            } finally {
                linux.close(socket);
            }
        }

        private TapDevice attach(int fd, int socket) {
            MemorySegment attach = request();
            attach.set(JAVA_SHORT, IFREQ_VALUE, (short) (IFF_TAP | IFF_NO_PI));
            check(linux.ioctl(fd, TUNSETIFF, attach), this::whyNotAttached);
            if (options.mtu() != 0) {
                MemorySegment mtu = request();
                mtu.set(JAVA_INT, IFREQ_VALUE, options.mtu());
                configure(socket, SIOCSIFMTU, mtu, "its MTU cannot be set to " + options.mtu());
            }
            if (options.bringUp()) {
                MemorySegment flags = request();
                configure(socket, SIOCGIFFLAGS, flags, "its flags cannot be read");
                short now = flags.get(JAVA_SHORT, IFREQ_VALUE);
                if ((now & IFF_UP) == 0) { // A user without rights may use what root has set up.
                    flags.set(JAVA_SHORT, IFREQ_VALUE, (short) (now | IFF_UP));
                    configure(socket, SIOCSIFFLAGS, flags, "it cannot be set up");
                }
            }
            MemorySegment mtu = request();
            configure(socket, SIOCGIFMTU, mtu, "its MTU cannot be read");
            return new TapDevice(fd, mtu.get(JAVA_INT, IFREQ_VALUE));
        }

        private MemorySegment request() {
            MemorySegment request = arena.allocate(IFREQ, 8);
            request.asSlice(0, options.name().length())
                    .copyFrom(MemorySegment.ofArray(options.name().getBytes(StandardCharsets.US_ASCII)));
            return request;
        }

        private void configure(int socket, long what, MemorySegment request, String words) {
            check(
                    linux.ioctl(socket, what, request),
                    errno -> words + ": "
                            + (errno == Linux.EPERM ? "it needs root or CAP_NET_ADMIN" : Linux.words(errno)));
        }

        private int check(int result, IntFunction<String> why) {
            if (result < 0) {
                throw new LinkException(
                        "the TAP interface " + options.name() + " cannot be opened: " + why.apply(-result));
            }
            return result;
        }

        private String whyMissing(int errno) {
            return errno == Linux.ENODEV
                    ? "it does not exist, and 'ip tuntap add dev " + options.name() + " mode tap' would make it"
                    : Linux.words(errno);
        }

        private String whyNoDevice(int errno) {
            return switch (errno) {
                case Linux.ENOENT ->
                    devicePath + " does not exist, and 'modprobe tun' or the container's --device"
                            + " option would bring it";
                case Linux.ENODEV -> devicePath + " has no driver, and 'modprobe tun' would load it";
                case Linux.EACCES, Linux.EPERM -> "permission to open " + devicePath + " is denied";
                case Linux.EMFILE -> "this process has too many open files";
                default -> devicePath + ": " + Linux.words(errno);
            };
        }

        private String whyNotAttached(int errno) {
            return switch (errno) {
                case Linux.EPERM ->
                    "permission is denied; it needs root, CAP_NET_ADMIN, or that root makes it for you"
                            + " ('ip tuntap add dev " + options.name() + " mode tap user USER')";
                case Linux.EBUSY -> "another program is using it";
                case Linux.EINVAL -> "an interface of that name exists and is not a TAP, or is one with several queues";
                default -> Linux.words(errno);
            };
        }
    }
}
