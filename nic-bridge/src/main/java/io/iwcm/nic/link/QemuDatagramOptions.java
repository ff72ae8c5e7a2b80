package io.iwcm.nic.link;

/**
 * The two ends of a {@link QemuDatagramLink}.
 *
 * @param local where we receive
 * @param remote where the guest's QEMU does, and from where it sends; of the same kind
 * @param mtu IP MTU, octets
 */
public record QemuDatagramOptions(SocketPlace local, SocketPlace remote, int mtu) {

    public QemuDatagramOptions {
        if (local.getClass() != remote.getClass() || local.equals(remote)) {
            throw new IllegalArgumentException(
                    "the two ends must be two paths, or two hosts and ports, and not " + local + " and " + remote);
        }
    }
}
