package io.iwcm.cm.script;

import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The words after {@code ~}. */
final class SettingText {

    /** A change of the settings, made when the line is played. */
    @FunctionalInterface
    interface Change {
        void on(Settings settings, long nowNs);
    }

    /** What a switch turns on and off. */
    @FunctionalInterface
    private interface Switch {
        void set(Settings settings, boolean on);
    }

    private static final List<String> PLAIN_NUMBERS =
            List.of("retries", "window", "window-scale", "mss-floor", "challenges", "mtu");

    private static final Map<String, Switch> SWITCHES = Map.of(
            "markers", (settings, on) -> settings.receiveMarkers = on,
            "answer-all-rtr", (settings, on) -> settings.answerAllRtr = on,
            "strict-reply", (settings, on) -> settings.strictReply = on,
            "accept-revision-0", (settings, on) -> settings.acceptRevision0 = on,
            "early-fpdu-is-error", (settings, on) -> settings.earlyFpduIsError = on,
            "simultaneous-open-resets", (settings, on) -> settings.simultaneousOpenResets = on,
            "malformed-options-reset", (settings, on) -> settings.malformedOptionsReset = on);

    private static final Map<String, CrcPolicy> CRC = Map.of(
            "required", CrcPolicy.REQUIRED,
            "on", CrcPolicy.REQUIRED,
            "off", CrcPolicy.PREFERRED_OFF,
            "strict-off", CrcPolicy.STRICT_OFF);

    private SettingText() {}

    static Change parse(Words words) {
        String name = words.peek();
        Change change = named(name, words);
        words.end();
        return change;
    }

    private static Change named(String name, Words words) {
        Switch onOff = SWITCHES.get(name);
        if (onOff != null) {
            words.next(name);
            boolean on = words.onOff();
            return (settings, _) -> onOff.set(settings, on);
        }
        if (PLAIN_NUMBERS.contains(name)) {
            words.next(name);
            int value = words.number("a number", 0, Integer.MAX_VALUE);
            return (settings, _) -> settings.number(name, value);
        }
        if (new Settings().hasNumber(name)) {
            words.next(name);
            long span = words.durationNs("a time span");
            return (settings, _) -> settings.number(name, span);
        }
        return other(words);
    }

    private static Change other(Words words) {
        if (words.take("crc")) {
            CrcPolicy policy = words.oneOf(CRC);
            return (settings, _) -> settings.crc = policy;
        }
        if (words.take("rtr")) {
            RtrSet set = MpaText.rtr(words);
            return (settings, _) -> settings.rtr = set;
        }
        if (words.take("depths-max")) {
            ReadDepths depths = EventText.depths(words);
            return (settings, _) -> settings.depthsMax = depths;
        }
        if (words.take("isn")) {
            return isn(words);
        }
        if (words.take("family")) {
            boolean v6 = words.oneOf(Map.of("v4", false, "v6", true));
            return (settings, _) -> settings.v6 = v6;
        }
        if (words.take("vlan")) {
            int vlan = words.number("a VLAN id, 0 for none", 0, 4_094);
            return (settings, _) -> settings.vlan = vlan;
        }
        List<String> allowed = new ArrayList<>(List.of("crc", "rtr", "depths-max", "isn", "family", "vlan"));
        new Settings().numberNames().forEach(allowed::add);
        allowed.addAll(SWITCHES.keySet().stream().sorted().toList());
        throw words.error(String.join(", ", allowed));
    }

    private static Change isn(Words words) {
        boolean both = !words.peek().equals("our") && !words.peek().equals("peer");
        boolean our = words.take("our") || both;
        boolean peer = words.take("peer") || both;
        String text = words.next("a sequence number, perhaps after our or peer");
        if (!text.matches("\\d{1,10}")) {
            throw words.wrong("\"" + text + "\" is no sequence number, 0..4294967295");
        }
        SeqNum isn = new SeqNum((int) Long.parseLong(text));
        return (settings, nowNs) -> {
            if (our) {
                settings.ourIsn(isn, nowNs);
            }
            if (peer) {
                settings.peerIsn = isn;
            }
        };
    }
}
