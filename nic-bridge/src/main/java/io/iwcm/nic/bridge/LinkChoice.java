package io.iwcm.nic.bridge;

import io.iwcm.nic.link.QemuDatagramOptions;
import io.iwcm.nic.link.QemuStreamOptions;
import io.iwcm.nic.link.TapOptions;

/** What frames come from and go to: the block {@code iwcm.nic.link}. */
public sealed interface LinkChoice {

    /** A wire inside this process that nobody else is on. */
    record Memory() implements LinkChoice {}

    /** A TAP interface. */
    record Tap(TapOptions options) implements LinkChoice {}

    /** A stream socket with a guest on it. */
    record QemuStream(QemuStreamOptions options) implements LinkChoice {}

    /** A datagram socket with a guest on it. */
    record QemuDatagram(QemuDatagramOptions options) implements LinkChoice {}

    /** A network interface, by a packet socket. */
    record Packet(String device) implements LinkChoice {}
}
