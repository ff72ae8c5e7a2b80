package io.iwcm.nic.link;

/**
 * How a {@link QemuStreamLink} finds its peer.
 *
 * @param role whether we wait for the peer or look for it
 * @param place where we listen, or where the peer does
 * @param mtu IP MTU, octets
 * @param retryNsMin the wait before the second try to connect; it doubles with every failure
 * @param retryNsMax the longest wait between two tries
 */
public record QemuStreamOptions(Role role, SocketPlace place, int mtu, long retryNsMin, long retryNsMax) {

    /** Who waits for whom. */
    public enum Role {
        /** We listen; {@code -netdev stream,server=off} connects. */
        LISTEN,
        /** We connect, again and again; {@code -netdev stream,server=on} listens. */
        CONNECT
    }

    private static final long RETRY_NS_MIN = 100_000_000;
    private static final long RETRY_NS_MAX = 5_000_000_000L;

    public QemuStreamOptions {
        if (retryNsMin < 1 || retryNsMax < retryNsMin) {
            throw new IllegalArgumentException("the waits between tries cannot be from " + retryNsMin + " to "
                    + retryNsMax + " ns: 1 ns and more is allowed, and the longest not below the first");
        }
    }

    public static QemuStreamOptions listening(SocketPlace place, int mtu) {
        return new QemuStreamOptions(Role.LISTEN, place, mtu, RETRY_NS_MIN, RETRY_NS_MAX);
    }

    public static QemuStreamOptions connecting(SocketPlace place, int mtu) {
        return new QemuStreamOptions(Role.CONNECT, place, mtu, RETRY_NS_MIN, RETRY_NS_MAX);
    }

    public QemuStreamOptions withRetryNs(long least, long most) {
        return new QemuStreamOptions(role, place, mtu, least, most);
    }
}
