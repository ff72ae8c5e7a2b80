package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.actor.KeyedIsnSource;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.Marking;
import io.iwcm.cm.actor.PortMapper;
import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Compat;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.nic.settings.SettingsReader;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Everything under {@code iwcm.cm}, read once at start-up and checked. {@code reference.conf} says what each key does.
 *
 * @param dispatchers buckets among which the flows are divided
 * @param stopGrace how long an orderly stop may take
 * @param listeners what to listen on
 * @param tcp TCP while it is ours
 * @param deadlines how long each phase may take
 * @param mpa what MPA supports and insists on
 * @param compat switches away from the strict default
 * @param onTheWire under which priorities and ports things are sent
 */
record CmSettings(
        int dispatchers,
        Duration stopGrace,
        List<ListenOrder> listeners,
        TcpParams tcp,
        Deadlines deadlines,
        MpaPolicy mpa,
        Compat compat,
        OnTheWire onTheWire) {

    /** Priorities that follow from traffic classes, and who names endpoints. */
    record OnTheWire(Marking marking, PortMapper portMapper) {}

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(1);

    /**
     * Reads a resolved configuration.
     *
     * @throws io.iwcm.nic.settings.SettingsException on the first value that is not allowed, and on unknown keys here and
     *     beside {@code iwcm.cm}
     */
    static CmSettings from(Config root) {
        SettingsReader iwcm = SettingsReader.of(root, "iwcm");
        List.of("cm", "nic", "http", "metrics", "cluster", "mailboxes", "dispatchers")
                .forEach(iwcm::isPresent);
        iwcm.refuseUnknown();
        SettingsReader cm = SettingsReader.of(root, "iwcm.cm");
        CmSettings settings = new CmSettings(
                cm.integer("dispatchers", 1, 256),
                cm.duration("stop-grace", Duration.ZERO, Duration.ofHours(1)),
                cm.list("listeners").stream().map(CmListenerSettings::from).toList(),
                tcp(cm.block("tcp")),
                deadlines(cm.block("deadlines")),
                mpa(cm.block("mpa")),
                compat(cm.block("compat")),
                new OnTheWire(
                        marking(cm.block("priorities")),
                        cm.parsed(
                                "port-mapper",
                                "identity, or the name of a class that is a PortMapper with a constructor without"
                                        + " arguments",
                                CmSettings::portMapper)));
        cm.refuseUnknown();
        return settings;
    }

    /** What a connection manager on a NIC with these addresses is started with. */
    CmOptions options(List<LocalAddress> addresses, CmObserver observer) {
        CmParams params = new CmParams(tcp, deadlines, mpa, compat, KeyedIsnSource.ofFreshSecret());
        return new CmOptions(
                params, dispatchers, stopGrace, addresses, observer, onTheWire.marking(), onTheWire.portMapper());
    }

    private enum MarkingMode {
        PRECEDENCE,
        DSCP
    }

    private static Marking marking(SettingsReader priorities) {
        Marking.ByDscp byDscp = priorities.words(
                "dscp-map",
                "a list of 64 priorities, each 0..7,",
                words -> new Marking.ByDscp(words.stream().map(Integer::valueOf).toList()));
        return switch (priorities.choice("mode", MarkingMode.class)) {
            case PRECEDENCE -> Marking.PRECEDENCE;
            case DSCP -> byDscp;
        };
    }

    private static PortMapper portMapper(String name) {
        if (name.equals("identity")) return PortMapper.IDENTITY;
        try {
            return (PortMapper) Class.forName(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private static TcpParams tcp(SettingsReader tcp) {
        Duration rtoFirst = tcp.duration("rto-first", Duration.ofMillis(100), Duration.ofSeconds(60));
        int scale = tcp.integer("window-scale", 0, 14);
        int window = tcp.integer("window", 1024, 65_535 << 14);
        if (window > 65_535 << scale) {
            throw tcp.notAllowed("window", "1024.." + (65_535 << scale) + " with a window-scale of " + scale);
        }
        return new TcpParams(
                rtoFirst.toNanos(),
                tcp.duration("rto-max", rtoFirst, Duration.ofMinutes(10)).toNanos(),
                tcp.integer("retries-max", 0, 64),
                window,
                scale,
                tcp.integer("mss-floor", 32, 1220),
                tcp.integer("challenge-acks-max", 1, 1000),
                tcp.duration("challenge-acks-window", LEAST, Duration.ofHours(1))
                        .toNanos());
    }

    private static Deadlines deadlines(SettingsReader deadlines) {
        return new Deadlines(
                nanos(deadlines, "address"),
                nanos(deadlines, "syn"),
                nanos(deadlines, "syn-rcvd"),
                new MpaDeadlines(
                        nanos(deadlines, "mpa-request"),
                        nanos(deadlines, "mpa-reply"),
                        deadlines.duration("decision", Duration.ZERO, MOST).toNanos(),
                        nanos(deadlines, "accept"),
                        nanos(deadlines, "rtr")),
                nanos(deadlines, "close"));
    }

    private static long nanos(SettingsReader block, String key) {
        return block.duration(key, LEAST, MOST).toNanos();
    }

    private static MpaPolicy mpa(SettingsReader mpa) {
        return new MpaPolicy(
                new ReadDepths(mpa.integer("ird-max", 0, ReadDepths.MAX), mpa.integer("ord-max", 0, ReadDepths.MAX)),
                mpa.choice("crc", MpaPolicy.CrcPolicy.class),
                mpa.flag("markers"),
                mpa.words("rtr", "a list of send, write and read", CmSettings::rtr),
                mpa.flag("answer-all-rtr"),
                mpa.flag("strict-reply"),
                mpa.flag("accept-revision-0"));
    }

    private static RtrSet rtr(List<String> words) {
        boolean[] has = new boolean[Rtr.values().length];
        words.forEach(word -> has[rtr(word).ordinal()] = true);
        return new RtrSet(has[Rtr.SEND.ordinal()], has[Rtr.WRITE.ordinal()], has[Rtr.READ.ordinal()]);
    }

    private static Rtr rtr(String word) {
        return Arrays.stream(Rtr.values())
                .filter(rtr -> rtr.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(word));
    }

    private static Compat compat(SettingsReader compat) {
        return new Compat(
                compat.flag("early-fpdu-is-error"),
                compat.flag("simultaneous-open-resets"),
                compat.flag("malformed-options-reset"));
    }
}
