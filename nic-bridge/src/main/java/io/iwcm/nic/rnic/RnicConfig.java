package io.iwcm.nic.rnic;

import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.Route;
import io.iwcm.nic.wire.MacAddress;
import java.util.List;

/**
 * What a software RNIC is told once.
 *
 * @param mac its MAC address
 * @param addresses its addresses at the start
 * @param routes its routes besides the prefixes of its addresses
 * @param mtu IP MTU of its link, octets
 * @param behaviour what it answers by itself
 * @param limits how large its tables may grow
 * @param ports from which active opens get theirs
 * @param qp timers and limits of its queue pairs
 */
public record RnicConfig(
        MacAddress mac,
        List<LocalAddress> addresses,
        List<Route> routes,
        int mtu,
        Behaviour behaviour,
        Limits limits,
        PortRange ports,
        QpParams qp) {

    /** Least IP MTU (RFC 791); IPv6 asks for 1280 of those who use it. */
    public static final int MTU_MIN = 576;

    public RnicConfig {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
        if (mtu < MTU_MIN || mtu > 0xffff) {
            throw new IllegalArgumentException("MTU " + mtu + " is out of range: 576..65535 are allowed");
        }
    }

    /** An RNIC with these addresses and the usual everything else. */
    public static RnicConfig of(MacAddress mac, List<LocalAddress> addresses, int mtu) {
        return new RnicConfig(
                mac, addresses, List.of(), mtu, Behaviour.DEFAULT, Limits.DEFAULT, PortRange.DEFAULT, QpParams.DEFAULT);
    }

    /** What becomes of TCP segments that no connection and no listener wants. */
    public enum Unmatched {
        /** They are answered with RST (RFC 9293 §3.10.7.1): the link is ours alone. */
        RESET,
        /** They are dropped: somebody else on this link may want them. Inside the NIC they are reset all the same. */
        DROP
    }

    /** Where a frame's MAC address comes from; the octets on the wire are the same. */
    public enum FrameStyle {
        /** The whole frame is built from the tables each time it is sent. */
        GEN_1,
        /** The address handle keeps the MAC address until the neighbour table says that something has changed. */
        GEN_2
    }

    /**
     * What the NIC answers by itself, and how it sends.
     *
     * @param unmatched see {@link Unmatched}
     * @param resetsPerSecond most RST for unmatched segments; 0: none
     * @param echoesPerSecond most echo replies; 0: echo requests are not answered
     * @param icmpErrorsPerSecond most ICMP errors given to connections; 0: all are ignored
     * @param announce own addresses are announced unasked at the start and when they are added
     * @param timeWaitNs how long TIME_WAIT lasts
     * @param claimNs how long a flow may be reserved, or prepared, before it is entered in the quad hash; then all it holds
     *     is given back
     * @param frameStyle see {@link FrameStyle}
     */
    public record Behaviour(
            Unmatched unmatched,
            int resetsPerSecond,
            int echoesPerSecond,
            int icmpErrorsPerSecond,
            boolean announce,
            long timeWaitNs,
            long claimNs,
            FrameStyle frameStyle) {

        public static final Behaviour DEFAULT =
                new Behaviour(Unmatched.RESET, 1000, 100, 100, true, 60_000_000_000L, 60_000_000_000L);

        /** With gen-2 frames. */
        public Behaviour(
                Unmatched unmatched,
                int resetsPerSecond,
                int echoesPerSecond,
                int icmpErrorsPerSecond,
                boolean announce,
                long timeWaitNs,
                long claimNs) {
            this(
                    unmatched,
                    resetsPerSecond,
                    echoesPerSecond,
                    icmpErrorsPerSecond,
                    announce,
                    timeWaitNs,
                    claimNs,
                    FrameStyle.GEN_2);
        }
    }

    /** When a SYN is answered with a cookie instead of a connection (RFC 4987 §3.6). */
    public enum CookieMode {
        /** Never. */
        OFF,
        /** When its listener has no place for another half-open connection. */
        WHEN_FULL,
        /** Whenever its listener would take it. */
        ALWAYS
    }

    /**
     * SYN cookies.
     *
     * @param mode when
     * @param lifetimeNs how long a cookie is good at least; at most it is twice as long
     * @param perSecond most SYNs answered with a cookie; 0: none is
     */
    public record Cookies(CookieMode mode, long lifetimeNs, int perSecond) {
        public static final Cookies DEFAULT = new Cookies(CookieMode.WHEN_FULL, 60_000_000_000L, 20_000);
    }

    /**
     * How large tables may grow; what hitting a limit does is counted under {@link io.iwcm.nic.steer.NicCounter}.
     *
     * @param flowsMax connections in the quad hash, those being prepared included
     * @param listenersMax SYN entries
     * @param addressesMax own addresses
     * @param qpsMax queue pairs
     * @param timeWaitsMax TIME_WAIT rows; 0: none is kept
     * @param loopbackMax frames on their way round inside the NIC
     * @param transmitMax frames that have not left, 4 or more
     * @param neighbours the neighbour table
     */
    public record Limits(
            int flowsMax,
            int listenersMax,
            int addressesMax,
            int qpsMax,
            int timeWaitsMax,
            int loopbackMax,
            int transmitMax,
            Neighbours.Limits neighbours) {

        public static final Limits DEFAULT =
                new Limits(262_144, 4096, 256, 65_536, 65_536, 4096, 16_384, Neighbours.Limits.DEFAULT);
    }

    /** Ports from {@code first} to {@code last}, both included. */
    public record PortRange(int first, int last) {
        /** RFC 6335 §6: the dynamic ports. */
        public static final PortRange DEFAULT = new PortRange(49_152, 65_535);
    }
}
