package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few Linux calls that links need, through libc. Results are as the kernel gives them: not negative, or a negative errno.
 * Interrupted calls are repeated. Numbers and layouts hold for x86-64 and aarch64 alike. One instance per thread: it holds
 * that thread's errno.
 */
@SuppressWarnings("restricted") // Calling C is what this class is for; the launcher grants native access.
final class Linux {

    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int EMSGSIZE = 90;
    static final int EADDRINUSE = 98;
    static final int ENETDOWN = 100;
    static final int ECONNREFUSED = 111;

    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int AF_PACKET = 17;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOL_SOCKET = 1;
    static final short POLLIN = 1;

    private static final int EINTR = 4;
    private static final int MSG_DONTWAIT = 0x40;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle OPEN =
            variadic("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), 2);
    private static final MethodHandle IOCTL =
            variadic("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), 2);
    private static final MethodHandle CLOSE = fixed("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            fixed("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            fixed("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle POLL =
            fixed("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle EVENTFD = fixed("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKET =
            fixed("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            fixed("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CONNECT =
            fixed("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKNAME =
            fixed("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle SETSOCKOPT =
            fixed("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            fixed("getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle RECVMMSG =
            fixed("recvmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SENDMMSG =
            fixed("sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle STRERROR = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private final MemorySegment callState;

    Linux(Arena arena) {
        callState = arena.allocate(CALL_STATE);
    }

    /** Whether this class works here. Ask before touching the rest of it. */
    static final class Platform {
        private Platform() {}

        static void require() {
            String system = System.getProperty("os.name", "");
            String processor = System.getProperty("os.arch", "");
            boolean known = processor.equals("amd64") || processor.equals("aarch64");
            if (!system.equals("Linux") || !known) {
                throw new LinkException("this kind of link needs Linux on x86-64 or aarch64, and this is " + system
                        + " on " + processor);
            }
        }
    }

    int open(MemorySegment path, int flags) {
        return repeated(() -> (int) OPEN.invokeExact(callState, path, flags, 0));
    }

    int ioctl(int fd, long request, MemorySegment argument) {
        return repeated(() -> (int) IOCTL.invokeExact(callState, fd, request, argument));
    }

    /** Never repeated: on Linux the descriptor is gone even when the call was interrupted. */
    void close(int fd) {
        once(() -> (int) CLOSE.invokeExact(callState, fd));
    }

    int read(int fd, MemorySegment buffer) {
        return repeated(() -> (long) READ.invokeExact(callState, fd, buffer, buffer.byteSize()));
    }

    int write(int fd, MemorySegment buffer, int count) {
        return repeated(() -> (long) WRITE.invokeExact(callState, fd, buffer, (long) count));
    }

    /** Waits without end until one of {@code count} {@code struct pollfd} has something. */
    int poll(MemorySegment pollFds, int count) {
        return poll(pollFds, count, -1);
    }

    /** Waits at most so long, and longer when it is interrupted. */
    int poll(MemorySegment pollFds, int count, int timeoutMs) {
        return repeated(() -> (int) POLL.invokeExact(callState, pollFds, (long) count, timeoutMs));
    }

    int eventFd() {
        return repeated(() -> (int) EVENTFD.invokeExact(callState, 0, O_NONBLOCK | O_CLOEXEC));
    }

    int socket() {
        return socket(AF_INET, SOCK_DGRAM, 0);
    }

    int socket(int family, int type, int protocol) {
        return repeated(() -> (int) SOCKET.invokeExact(callState, family, type | O_CLOEXEC, protocol));
    }

    int bind(int fd, MemorySegment address) {
        return repeated(() -> (int) BIND.invokeExact(callState, fd, address, (int) address.byteSize()));
    }

    int connect(int fd, MemorySegment address) {
        return repeated(() -> (int) CONNECT.invokeExact(callState, fd, address, (int) address.byteSize()));
    }

    /** The address goes into {@code address}; {@code length} holds how much room there is. */
    int socketName(int fd, MemorySegment address, MemorySegment length) {
        return repeated(() -> (int) GETSOCKNAME.invokeExact(callState, fd, address, length));
    }

    int setOption(int fd, int level, int name, MemorySegment value) {
        return repeated(() -> (int) SETSOCKOPT.invokeExact(callState, fd, level, name, value, (int) value.byteSize()));
    }

    int option(int fd, int level, int name, MemorySegment value, MemorySegment length) {
        return repeated(() -> (int) GETSOCKOPT.invokeExact(callState, fd, level, name, value, length));
    }

    /** How many of {@code count} {@code struct mmsghdr} were filled. */
    int receiveMessages(int fd, MemorySegment headers, int count) {
        return repeated(
                () -> (int) RECVMMSG.invokeExact(callState, fd, headers, count, MSG_DONTWAIT, MemorySegment.NULL));
    }

    /** How many of {@code count} {@code struct mmsghdr} were sent. */
    int sendMessages(int fd, MemorySegment headers, int count) {
        return repeated(() -> (int) SENDMMSG.invokeExact(callState, fd, headers, count, MSG_DONTWAIT));
    }

    /** The system's words for an errno. */
    static String words(int errno) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
            return text.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("strerror cannot be called", e);
        }
    }

    @FunctionalInterface
    private interface Call {
        long now() throws Throwable;
    }

    private int repeated(Call call) {
        int result = once(call);
        while (result == -EINTR) {
            result = once(call);
        }
        return result;
    }

    private int once(Call call) {
        try {
            long result = call.now();
            return result < 0 ? -(int) ERRNO.get(callState, 0L) : (int) result;
        } catch (Throwable e) {
            throw new IllegalStateException("libc cannot be called", e);
        }
    }

    private static MethodHandle fixed(String symbol, FunctionDescriptor signature) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(symbol), signature, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle variadic(String symbol, FunctionDescriptor signature, int fixedArguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(symbol),
                signature,
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixedArguments));
    }
}
