package io.iwcm.nic.bridge;

import com.typesafe.config.Config;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.RnicConfig.Behaviour;
import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.rnic.RnicConfig.Cookies;
import io.iwcm.nic.rnic.RnicConfig.FrameStyle;
import io.iwcm.nic.rnic.RnicConfig.Limits;
import io.iwcm.nic.rnic.RnicConfig.PortRange;
import io.iwcm.nic.rnic.RnicConfig.Unmatched;
import io.iwcm.nic.settings.SettingsException;
import io.iwcm.nic.settings.SettingsReader;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.Route;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.VlanTag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything under {@code iwcm.nic}, read once at start-up and checked. {@code reference.conf} says what each key does.
 *
 * @param link what frames come from and go to
 * @param mac empty: one is made up
 * @param addresses own addresses
 * @param routes routes besides the prefixes of the addresses
 * @param mtu IP MTU, octets
 * @param rnic how the software RNIC behaves and how large it may grow
 * @param ilq how far dispatchers may fall behind
 * @param receiveQueueFrames frames that may wait between link and RNIC
 */
public record NicSettings(
        LinkChoice link,
        Optional<MacAddress> mac,
        List<LocalAddress> addresses,
        List<Route> routes,
        int mtu,
        RnicSettings rnic,
        IlqLimits ilq,
        int receiveQueueFrames) {

    private static final int MTU_MIN_V6 = 1280; // RFC 8200 §5
    private static final int MTU_MAX = 65_521;
    private static final int MANY = 1 << 24;
    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final String AUTO = "auto";

    public NicSettings {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
    }

    NicSettings withMac(MacAddress own) {
        return new NicSettings(link, Optional.of(own), addresses, routes, mtu, rnic, ilq, receiveQueueFrames);
    }

    /**
     * The software RNIC's own settings.
     *
     * @param behaviour what it answers by itself
     * @param limits how large its tables may grow
     * @param ports from which active opens get theirs
     * @param qp timers and limits of its queue pairs
     * @param cookies when SYNs are answered with cookies
     */
    public record RnicSettings(Behaviour behaviour, Limits limits, PortRange ports, QpParams qp, Cookies cookies) {}

    /**
     * Reads a resolved configuration.
     *
     * @throws SettingsException on the first value that is not allowed, and on unknown keys
     */
    public static NicSettings from(Config root) {
        SettingsReader nic = SettingsReader.of(root, "iwcm.nic");
        List<LocalAddress> addresses = addresses(nic);
        int mtu = nic.integer("mtu", RnicConfig.MTU_MIN, MTU_MAX);
        if (mtu < MTU_MIN_V6
                && addresses.stream().anyMatch(own -> !own.address().isV4())) {
            throw nic.notAllowed("mtu", MTU_MIN_V6 + ".." + MTU_MAX + " with an IPv6 address");
        }
        NicSettings settings = new NicSettings(
                NicLinkSettings.from(nic.block("link"), mtu),
                nic.parsed("mac", "auto or the MAC address of a host, as 02:00:5e:10:00:01,", NicSettings::mac),
                addresses,
                routes(nic),
                mtu,
                new RnicSettings(
                        behaviour(nic),
                        limits(nic.block("limits"), nic.block("neighbours")),
                        ports(nic.block("ports")),
                        qp(nic.block("queue-pair")),
                        cookies(nic.block("syn-cookies"))),
                ilq(nic.block("ilq")),
                nic.integer("receive-queue", 1, 1 << 20));
        nic.refuseUnknown();
        return settings;
    }

    /** For an RNIC on a link of this MTU, with this MAC address. */
    RnicConfig rnicConfig(MacAddress own, int linkMtu) {
        return new RnicConfig(
                own,
                addresses,
                routes,
                Math.min(mtu, linkMtu),
                rnic.behaviour(),
                rnic.limits(),
                rnic.ports(),
                rnic.qp());
    }

    private static Optional<MacAddress> mac(String text) {
        if (text.equals(AUTO)) return Optional.empty();
        MacAddress mac = MacAddress.parse(text);
        if (mac.isGroup() || mac.equals(MacAddress.ZERO)) throw new IllegalArgumentException(text);
        return Optional.of(mac);
    }

    private static List<LocalAddress> addresses(SettingsReader nic) {
        List<LocalAddress> addresses = new ArrayList<>();
        for (SettingsReader item : nic.list("addresses")) {
            int vlan = vlan(item);
            LocalAddress own = item.parsed("address", "a unicast address, as 10.0.0.2/24 or fd00::2/64,", text -> {
                LocalAddress parsed = new LocalAddress(address(text), prefixLength(text), vlan);
                if (!LocalAddresses.isPossible(parsed)) throw new IllegalArgumentException(text);
                return parsed;
            });
            if (addresses.stream()
                    .anyMatch(other -> other.address().equals(own.address()) && other.vlan() == own.vlan())) {
                throw item.notAllowed("address", "each address once per VLAN");
            }
            addresses.add(own);
        }
        return addresses;
    }

    private static List<Route> routes(SettingsReader nic) {
        List<Route> routes = new ArrayList<>();
        for (SettingsReader item : nic.list("routes")) {
            int vlan = vlan(item);
            Optional<IpAddress> via = item.isPresent("via")
                    ? Optional.of(item.parsed("via", "an address, as 10.0.0.1,", IpAddress::parse))
                    : Optional.empty();
            routes.add(item.parsed(
                    "to",
                    "a network of the gateway's family, as 0.0.0.0/0 or fd00::/8,",
                    text -> new Route(address(text), prefixLength(text), via, vlan)));
        }
        return routes;
    }

    private static int vlan(SettingsReader item) {
        return item.isPresent("vlan") ? item.integer("vlan", VlanTag.UNTAGGED, VlanTag.ID_MAX) : VlanTag.UNTAGGED;
    }

    private static IpAddress address(String text) {
        int slash = text.indexOf('/');
        return IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
    }

    private static int prefixLength(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? (address(text).isV4() ? 32 : 128) : Integer.parseInt(text.substring(slash + 1));
    }

    private static Behaviour behaviour(SettingsReader nic) {
        return new Behaviour(
                nic.choice("unmatched", Unmatched.class),
                nic.integer("resets-per-second", 0, 1_000_000),
                nic.integer("echoes-per-second", 0, 1_000_000),
                nic.integer("icmp-errors-per-second", 0, 1_000_000),
                nic.flag("announce"),
                nic.duration("time-wait", MS, TEN_MINUTES).toNanos(),
                nic.duration("claim-timeout", Duration.ofSeconds(1), TEN_MINUTES)
                        .toNanos(),
                nic.choice("frame-style", FrameStyle.class));
    }

    private static Cookies cookies(SettingsReader cookies) {
        return new Cookies(
                cookies.choice("mode", CookieMode.class),
                cookies.duration("lifetime", Duration.ofSeconds(1), TEN_MINUTES).toNanos(),
                cookies.integer("per-second", 0, 1_000_000));
    }

    private static Limits limits(SettingsReader limits, SettingsReader neighbours) {
        return new Limits(
                limits.integer("flows", 1, MANY),
                limits.integer("listeners", 1, 1 << 16),
                limits.integer("addresses", 1, 4096),
                limits.integer("queue-pairs", 1, MANY - 1),
                limits.integer("time-waits", 0, MANY),
                limits.integer("loopback-frames", 1, 1 << 20),
                limits.integer("transmit-frames", 16, 1 << 20),
                new Neighbours.Limits(
                        neighbours.integer("entries", 2, 1 << 16),
                        neighbours.integer("waiters", 1, 1 << 20),
                        neighbours.integer("tries", 1, 10),
                        neighbours.duration("retry", MS, Duration.ofSeconds(10)).toNanos(),
                        neighbours
                                .duration("reachable", Duration.ofSeconds(1), Duration.ofHours(1))
                                .toNanos(),
                        neighbours
                                .duration("forget", Duration.ofSeconds(1), Duration.ofDays(1))
                                .toNanos()));
    }

    private static PortRange ports(SettingsReader ports) {
        int first = ports.integer("first", 1, 0xffff);
        return new PortRange(first, ports.integer("last", first, 0xffff));
    }

    private static QpParams qp(SettingsReader qp) {
        Duration least = qp.duration("rto-min", MS, TEN_MINUTES);
        Duration most = qp.duration("rto-max", least, TEN_MINUTES);
        return new QpParams(
                new QpParams.Tcp(
                        new QpParams.Retransmission(
                                qp.duration("rto-initial", MS, most).toNanos(),
                                least.toNanos(),
                                most.toNanos(),
                                qp.integer("retries-max", 1, 64)),
                        new QpParams.Buffers(
                                qp.integer("send-buffer", 64 << 10, 64 << 20),
                                qp.integer("receive-buffer", 64 << 10, 64 << 20)),
                        qp.integer("initial-window", 1, 10),
                        qp.duration("delayed-ack", Duration.ZERO, Duration.ofMillis(200))
                                .toNanos(),
                        qp.duration("close-timeout", MS, Duration.ofHours(1)).toNanos(),
                        qp.duration("fin-wait2-timeout", MS, Duration.ofHours(1))
                                .toNanos(),
                        qp.integer("challenge-acks-max", 0, 1000)),
                qp.duration("close-grace", MS, TEN_MINUTES).toNanos(),
                qp.duration("terminate-timeout", MS, TEN_MINUTES).toNanos(),
                new QpParams.Work(qp.integer("regions", 0, MANY - 1), qp.integer("queue-depth", 1, 1 << 20)));
    }

    private static IlqLimits ilq(SettingsReader ilq) {
        int credits = ilq.integer("credits", 1, 1 << 20);
        return new IlqLimits(credits, ilq.integer("limit", credits, MANY));
    }
}
