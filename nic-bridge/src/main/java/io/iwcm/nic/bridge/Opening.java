package io.iwcm.nic.bridge;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.PacketLink;
import io.iwcm.nic.link.PacketOptions;
import io.iwcm.nic.link.QemuDatagramLink;
import io.iwcm.nic.link.QemuStreamLink;
import io.iwcm.nic.link.TapLink;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.wire.MacAddress;
import java.security.SecureRandom;
import java.util.List;

/** Makes what settings name. */
final class Opening {

    private static final String NAME = "nic";
    private static final long LOCALLY_ADMINISTERED = 0x02_00_00_00_00_00L;
    private static final long GROUP = 0x01_00_00_00_00_00L;

    private Opening() {}

    /** The settings name a MAC address by now. */
    static Link link(NicSettings settings) {
        return switch (settings.link()) {
            case LinkChoice.Memory _ -> {
                MemoryWire wire = MemoryWire.live(NAME, WireOptions.PLAIN);
                yield new OwnWire(wire, wire.attach(NAME, settings.mtu()));
            }
            case LinkChoice.Tap(var options) -> TapLink.open(options);
            case LinkChoice.QemuStream(var options) -> QemuStreamLink.open(options);
            case LinkChoice.QemuDatagram(var options) -> QemuDatagramLink.open(options);
            case LinkChoice.Packet(String device) ->
                PacketLink.open(
                        new PacketOptions(device, settings.mac().orElseThrow().bits()));
        };
    }

    /** A locally administered unicast address (IEEE 802, 8.2.2) that nobody else is likely to have made up. */
    static MacAddress madeUpMac(SecureRandom random) {
        return new MacAddress((random.nextLong() >>> 16 & ~GROUP) | LOCALLY_ADMINISTERED);
    }

    /** The wire ends with its only link. */
    private record OwnWire(MemoryWire wire, Link port) implements Link {
        @Override
        public String name() {
            return port.name();
        }

        @Override
        public int mtu() {
            return port.mtu();
        }

        @Override
        public void start(Receiver receiver) {
            port.start(receiver);
        }

        @Override
        public void transmit(List<byte[]> frames) {
            port.transmit(frames);
        }

        @Override
        public LinkCounters counters() {
            return port.counters();
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
