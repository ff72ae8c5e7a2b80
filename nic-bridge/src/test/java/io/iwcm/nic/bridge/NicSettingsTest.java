package io.iwcm.nic.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.nic.link.QemuDatagramOptions;
import io.iwcm.nic.link.QemuStreamOptions;
import io.iwcm.nic.link.SocketPlace;
import io.iwcm.nic.link.TapOptions;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.rnic.RnicConfig.Behaviour;
import io.iwcm.nic.rnic.RnicConfig.Cookies;
import io.iwcm.nic.rnic.RnicConfig.FrameStyle;
import io.iwcm.nic.rnic.RnicConfig.Limits;
import io.iwcm.nic.rnic.RnicConfig.PortRange;
import io.iwcm.nic.rnic.RnicConfig.Unmatched;
import io.iwcm.nic.settings.SettingsException;
import io.iwcm.nic.steer.Route;
import io.iwcm.nic.testkit.Flows;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NicSettingsTest {

    @Test
    void framesAreOfTheSecondGenerationUnlessTheFirstIsAskedFor() {
        assertThat(read("").rnic().behaviour().frameStyle()).isEqualTo(FrameStyle.GEN_2);
        assertThat(read("frame-style = gen-1").rnic().behaviour().frameStyle()).isEqualTo(FrameStyle.GEN_1);
    }

    @Test
    void shipsTheDefaultsOfTheTables() {
        NicSettings settings = read("");

        assertThat(settings)
                .isEqualTo(new NicSettings(
                        new LinkChoice.Memory(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        1500,
                        new NicSettings.RnicSettings(
                                Behaviour.DEFAULT,
                                Limits.DEFAULT,
                                PortRange.DEFAULT,
                                QpParams.DEFAULT,
                                Cookies.DEFAULT),
                        IlqLimits.DEFAULT,
                        16_384));
    }

    @Test
    void readsAddressesRoutesAndTheTapInterface() {
        NicSettings settings = read("""
            link { kind = tap, tap { device = tap7, create = false, bring-up = false } }
            mac = "02:00:5e:10:00:01"
            addresses = [{ address = "10.0.0.2/24" }, { address = "fd00::2/64", vlan = 100 }, { address = "10.9.9.9" }]
            routes = [{ to = "0.0.0.0/0", via = "10.0.0.1" }, { to = "fd01::/16", vlan = 100 }]
            unmatched = drop
            """);

        assertThat(settings.link()).isEqualTo(new LinkChoice.Tap(new TapOptions("tap7", 0, false, true)));
        assertThat(settings.mac()).contains(Flows.mac(0x10_00_01));
        assertThat(settings.addresses())
                .containsExactly(
                        Flows.address("10.0.0.2/24", 0),
                        Flows.address("fd00::2/64", 100),
                        Flows.address("10.9.9.9/32", 0));
        assertThat(settings.routes())
                .containsExactly(
                        new Route(Flows.ip("0.0.0.0"), 0, Optional.of(Flows.ip("10.0.0.1")), 0),
                        new Route(Flows.ip("fd01::"), 16, Optional.empty(), 100));
        assertThat(settings.rnic().behaviour().unmatched()).isEqualTo(Unmatched.DROP);
    }

    @Test
    void readsASocketOfQemu() {
        NicSettings settings = read("""
            link { kind = qemu-stream
                   qemu-stream { role = connect, place = "[::1]:9000", retry-min = 1s, retry-max = 1 minute } }
            mtu = 9000
            """);

        assertThat(settings.link())
                .isEqualTo(
                        new LinkChoice.QemuStream(QemuStreamOptions.connecting(new SocketPlace.Inet("::1", 9000), 9000)
                                .withRetryNs(1_000_000_000, 60_000_000_000L)));
    }

    @Test
    void readsDatagramsAndANetworkInterface() {
        assertThat(read("link { kind = qemu-dgram, qemu-dgram { local = \"h:1\", remote = \"[::1]:2\" } }")
                        .link())
                .isEqualTo(new LinkChoice.QemuDatagram(
                        new QemuDatagramOptions(new SocketPlace.Inet("h", 1), new SocketPlace.Inet("::1", 2), 1500)));
        assertThat(read("link { kind = packet, packet.device = enp3s0 }").link())
                .isEqualTo(new LinkChoice.Packet("enp3s0"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "mtu = 575 | iwcm.nic.mtu = 575 (String: 1) is not allowed: 576..65521 is",
                "addresses = [{ address = \"fd00::1/64\" }], mtu = 1279"
                        + " | iwcm.nic.mtu = 1279 (String: 1) is not allowed: 1280..65521 with an IPv6 address is",
                "mac = \"01:00:5e:00:00:01\" | iwcm.nic.mac = \"01:00:5e:00:00:01\" (String: 1) is not allowed:"
                        + " auto or the MAC address of a host, as 02:00:5e:10:00:01, is",
                "addresses = [{ address = \"10.0.0.1/33\" }] | iwcm.nic.addresses[0].address = \"10.0.0.1/33\""
                        + " (String: 1) is not allowed: a unicast address, as 10.0.0.2/24 or fd00::2/64, is",
                "addresses = [{ address = \"10.0.0.1/24\" }, { address = \"10.0.0.1/16\" }]"
                        + " | iwcm.nic.addresses[1].address = \"10.0.0.1/16\" (String: 1) is not allowed:"
                        + " each address once per VLAN is",
                "addresses = [{ address = \"10.0.0.1/24\", vlan = 4095 }]"
                        + " | iwcm.nic.addresses[0].vlan = 4095 (String: 1) is not allowed: 0..4094 is",
                "routes = [{ to = \"0.0.0.0/0\", via = \"fd00::1\" }] | iwcm.nic.routes[0].to = \"0.0.0.0/0\" (String:"
                        + " 1) is not allowed: a network of the gateway's family, as 0.0.0.0/0 or fd00::/8, is",
                "link.kind = tun | iwcm.nic.link.kind = \"tun\" (String: 1) is not allowed: memory or tap or"
                        + " qemu-stream or qemu-dgram or packet is",
                "link { kind = tap, tap.device = \"a/b\" } | iwcm.nic.link.tap.device = \"a/b\" (String: 1)"
                        + " is not allowed: 1 to 15 letters, digits, dots, dashes and underscores is",
                "link.qemu-stream.place = \"/run/x\" | iwcm.nic.link.qemu-stream.place = \"/run/x\" (String: 1)"
                        + " is not allowed: unix:PATH, HOST:PORT or [IPV6]:PORT is",
                "link.qemu-stream { retry-min = 2s, retry-max = 1s } | iwcm.nic.link.qemu-stream.retry-max = \"1s\""
                        + " (String: 1) is not allowed: 2s..3600s is",
                "link { kind = qemu-dgram, qemu-dgram.remote = \"host:1\" } | iwcm.nic.link.qemu-dgram.remote ="
                        + " \"host:1\" (String: 1) is not allowed: another place of the same kind as local is",
                "link { kind = packet, packet.device = \"a b\" } | iwcm.nic.link.packet.device = \"a b\" (String: 1)"
                        + " is not allowed: the name of a network interface, as eth0, is",
                "ports { first = 50000, last = 49999 } | iwcm.nic.ports.last = 49999 (String: 1)"
                        + " is not allowed: 50000..65535 is",
                "ilq.limit = 4095 | iwcm.nic.ilq.limit = 4095 (String: 1) is not allowed: 4096..16777216 is",
                "adresses = [] | iwcm.nic.adresses (String: 1) is not a setting: did you mean iwcm.nic.addresses?",
                "limits.flow = 1 | iwcm.nic.limits.flow (String: 1) is not a setting: did you mean"
                        + " iwcm.nic.limits.flows?"
            })
    void refusesInOneSentence(String text, String sentence) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(text))
                .withMessage(sentence);
    }

    private static NicSettings read(String text) {
        Config user = ConfigFactory.parseString("iwcm.nic { " + text + " }");
        return NicSettings.from(
                user.withFallback(ConfigFactory.defaultReferenceUnresolved()).resolve());
    }
}
