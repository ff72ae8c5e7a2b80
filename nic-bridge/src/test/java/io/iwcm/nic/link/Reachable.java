package io.iwcm.nic.link;

import java.io.IOException;
import java.net.InetAddress;

/** A program: ends with 0 when the address answers an ICMP echo, as {@code ping -c1} does. */
final class Reachable {

    private Reachable() {}

    public static void main(String[] args) throws IOException {
        System.exit(InetAddress.getByName(args[0]).isReachable(20_000) ? 0 : 1);
    }
}
