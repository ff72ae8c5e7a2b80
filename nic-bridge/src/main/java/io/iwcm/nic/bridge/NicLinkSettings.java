package io.iwcm.nic.bridge;

import io.iwcm.nic.link.PacketOptions;
import io.iwcm.nic.link.QemuDatagramOptions;
import io.iwcm.nic.link.QemuStreamOptions;
import io.iwcm.nic.link.QemuStreamOptions.Role;
import io.iwcm.nic.link.SocketPlace;
import io.iwcm.nic.link.TapOptions;
import io.iwcm.nic.settings.SettingsReader;
import java.time.Duration;

/** Reads the block {@code iwcm.nic.link}. */
final class NicLinkSettings {

    private static final String PLACES = "unix:PATH, HOST:PORT or [IPV6]:PORT";
    private static final Duration HOUR = Duration.ofHours(1);

    private NicLinkSettings() {}

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
        SettingsReader datagram = link.block("qemu-dgram");
        SocketPlace local = datagram.parsed("local", PLACES, SocketPlace::parse);
        SocketPlace remote = datagram.parsed("remote", PLACES, SocketPlace::parse);
        SettingsReader packet = link.block("packet");
        String ethernet = packet.text("device");
        return switch (link.choice("kind", Kind.class)) {
            case MEMORY -> new LinkChoice.Memory();
            case TAP -> {
                try {
                    yield new LinkChoice.Tap(new TapOptions(device, bringUp ? mtu : 0, bringUp, !create));
                } catch (RuntimeException e) {
                    throw tap.notAllowed("device", "1 to 15 letters, digits, dots, dashes and underscores");
                }
            }
            case QEMU_STREAM ->
                new LinkChoice.QemuStream(
                        new QemuStreamOptions(role, place, mtu, retryMin.toNanos(), retryMax.toNanos()));
            case QEMU_DGRAM -> {
                try {
                    yield new LinkChoice.QemuDatagram(new QemuDatagramOptions(local, remote, mtu));
                } catch (IllegalArgumentException e) {
                    throw datagram.notAllowed("remote", "another place of the same kind as local");
                }
            }
            case PACKET -> {
                if (!PacketOptions.isName(ethernet)) {
                    throw packet.notAllowed("device", "the name of a network interface, as eth0,");
                }
                yield new LinkChoice.Packet(ethernet);
            }
        };
    }

    /** The words for {@code kind}. */
    private enum Kind {
        MEMORY,
        TAP,
        QEMU_STREAM,
        QEMU_DGRAM,
        PACKET
    }
}
