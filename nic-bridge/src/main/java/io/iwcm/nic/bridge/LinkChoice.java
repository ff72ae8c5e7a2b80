package io.iwcm.nic.bridge;

import io.iwcm.nic.link.QemuStreamOptions;
import io.iwcm.nic.link.QemuStreamOptions.Role;
import io.iwcm.nic.link.SocketPlace;
import io.iwcm.nic.link.TapOptions;
import io.iwcm.nic.settings.SettingsReader;
import java.time.Duration;

/** What frames come from and go to: the block {@code iwcm.nic.link}. */
public sealed interface LinkChoice {

    /** A wire inside this process that nobody else is on. */
    record Memory() implements LinkChoice {}

    /** A TAP interface. */
    record Tap(TapOptions options) implements LinkChoice {}

    /** A stream socket with a guest on it. */
    record QemuStream(QemuStreamOptions options) implements LinkChoice {}

    /** Reads the block; all of it, so that no key is unknown, and judges what the chosen kind needs. */
    static LinkChoice from(SettingsReader link, int mtu) {
        SettingsReader tap = link.block("tap");
        String device = tap.text("device");
        boolean create = tap.flag("create");
        boolean bringUp = tap.flag("bring-up");
        SettingsReader stream = link.block("qemu-stream");
        Role role = stream.choice("role", Role.class);
        SocketPlace place = stream.parsed("place", PLACES, SocketPlace::parse);
        Duration retryMin = stream.duration("retry-min", Duration.ofMillis(1), HOUR);
        Duration retryMax = stream.duration("retry-max", retryMin, HOUR);
        return switch (link.choice("kind", Kind.class)) {
            case MEMORY -> new Memory();
            case TAP -> {
                try {
                    yield new Tap(new TapOptions(device, bringUp ? mtu : 0, bringUp, !create));
                } catch (RuntimeException e) {
                    throw tap.notAllowed("device", "1 to 15 letters, digits, dots, dashes and underscores");
                }
            }
            case QEMU_STREAM ->
                new QemuStream(new QemuStreamOptions(role, place, mtu, retryMin.toNanos(), retryMax.toNanos()));
        };
    }

    /** The words for {@code kind}. */
    enum Kind {
        MEMORY,
        TAP,
        QEMU_STREAM
    }

    String PLACES = "unix:PATH, HOST:PORT or [IPV6]:PORT";
    Duration HOUR = Duration.ofHours(1);
}
