package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.address;
import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.Flows.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is ours, and the first step to what is not. */
class AddressTablesTest {

    private final LocalAddresses local = new LocalAddresses(mac(1), 8);

    @Test
    void anAddressIsOursOnItsVlanOnly() {
        local.add(address("10.0.0.1/24", 0));
        local.add(address("10.1.0.1/24", 100));
        assertThat(local.has(ip("10.0.0.1"), 0)).isTrue();
        assertThat(local.has(ip("10.0.0.1"), 100)).isFalse();
        assertThat(local.has(ip("10.1.0.1"), 100)).isTrue();
        assertThat(local.has(ip("10.1.0.1"), 0)).isFalse();
        assertThat(local.has(ip("127.0.0.1"), 0)).isTrue();
        assertThat(local.has(ip("127.0.0.1"), 100)).isFalse();
        assertThat(local.remove(ip("10.1.0.1"), 100)).isTrue();
        assertThat(local.remove(ip("10.1.0.1"), 100)).isFalse();
        assertThat(local.has(ip("10.1.0.1"), 100)).isFalse();
    }

    @Test
    void holdsAsManyAddressesAsItMay() {
        for (int i = 1; i <= 8; i++) {
            assertThat(local.add(address("10.0.0." + i + "/24", 0))).isTrue();
        }
        assertThat(local.add(address("10.0.0.9/24", 0))).isFalse();
        assertThat(local.add(address("10.0.0.8/16", 0))).isTrue();
        assertThat(local.all()).hasSize(8).contains(address("10.0.0.8/16", 0));
    }

    @Test
    void takesItsOwnMacBroadcastAndTheGroupsOfItsAddresses() {
        assertThat(local.takes(mac(1))).isTrue();
        assertThat(local.takes(mac(2))).isFalse();
        assertThat(local.takes(MacAddress.BROADCAST)).isTrue();
        MacAddress allNodes = MacAddress.parse("33:33:00:00:00:01");
        MacAddress solicited = MacAddress.parse("33:33:ff:12:34:56");
        assertThat(local.takes(allNodes)).isFalse();
        local.add(address("fd00::ab12:3456/64", 0));
        assertThat(local.takes(allNodes)).isTrue();
        assertThat(local.takes(solicited)).isTrue();
        assertThat(local.takes(MacAddress.parse("33:33:ff:12:34:57"))).isFalse();
        assertThat(local.takes(MacAddress.parse("01:00:5e:00:00:01"))).isFalse();
        local.remove(ip("fd00::ab12:3456"), 0);
        assertThat(local.takes(solicited)).isFalse();
    }

    @Test
    void knowsTheBroadcastAddressesOfItsPrefixes() {
        local.add(address("10.0.0.1/24", 0));
        local.add(address("10.9.0.0/31", 0));
        assertThat(local.isSubnetBroadcast(ip("10.0.0.255"), 0)).isTrue();
        assertThat(local.isSubnetBroadcast(ip("10.0.0.255"), 5)).isFalse();
        assertThat(local.isSubnetBroadcast(ip("10.0.1.255"), 0)).isFalse();
        assertThat(local.isSubnetBroadcast(ip("10.9.0.1"), 0)).isFalse();
        assertThat(local.isSubnetBroadcast(ip("fd00::ff"), 0)).isFalse();
    }

    @Test
    void refusesAddressesThatNoHostHas() {
        for (String bad :
                List.of("0.0.0.0/8", "224.0.0.1/4", "127.0.0.1/8", "255.255.255.255/32", "::/64", "ff02::1/64")) {
            assertThat(LocalAddresses.isPossible(address(bad, 0))).as(bad).isFalse();
        }
        assertThat(LocalAddresses.isPossible(address("10.0.0.1/33", 0))).isFalse();
        assertThat(LocalAddresses.isPossible(address("fd00::1/129", 0))).isFalse();
        assertThat(LocalAddresses.isPossible(address("10.0.0.1/24", 4095))).isFalse();
        assertThat(LocalAddresses.isPossible(address("fd00::1/128", 4094))).isTrue();
        assertThatThrownBy(() -> new LocalAddresses(MacAddress.BROADCAST, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theNextHopIsTheGatewayAndNotTheDestination() {
        local.add(address("10.0.0.1/24", 0));
        Routes routes = routes(via("0.0.0.0/0", "10.0.0.254", 0));
        assertThat(routes.to(ip("10.0.0.7"), 0)).isEqualTo(hop("10.0.0.7", 0));
        assertThat(routes.to(ip("192.168.9.9"), 0)).isEqualTo(hop("10.0.0.254", 0));
        assertThat(routes.to(ip("192.168.9.9"), 100)).isEmpty();
        assertThat(routes(/* none */ ).to(ip("192.168.9.9"), 0)).isEmpty();
    }

    @Test
    void theLongestPrefixWinsAndOurOwnAmongEquals() {
        local.add(address("10.0.0.1/16", 0));
        Routes routes = routes(
                via("0.0.0.0/0", "10.0.0.254", 0),
                via("10.0.7.0/24", "10.0.0.253", 0),
                via("10.0.0.0/16", "10.0.0.252", 0));
        assertThat(routes.to(ip("10.0.7.7"), 0)).isEqualTo(hop("10.0.0.253", 0));
        assertThat(routes.to(ip("10.0.8.8"), 0)).isEqualTo(hop("10.0.8.8", 0));
    }

    @Test
    void ownAddressesAndLoopbackStayInside() {
        local.add(address("10.0.0.1/24", 0));
        local.add(address("10.1.0.1/24", 100));
        Routes routes = routes(via("0.0.0.0/0", "10.0.0.254", 0), via("::/0", "fe80::1", 0));
        Optional<Hop> inside = Optional.of(new Hop.Inside());
        assertThat(routes.to(ip("10.0.0.1"), 0)).isEqualTo(inside);
        assertThat(routes.to(ip("10.1.0.1"), 100)).isEqualTo(inside);
        assertThat(routes.to(ip("10.1.0.1"), 0)).isEqualTo(hop("10.0.0.254", 0));
        assertThat(routes.to(ip("127.0.0.5"), 0)).isEqualTo(inside);
        assertThat(routes.to(ip("::1"), 0)).isEqualTo(inside);
        assertThat(routes.to(ip("127.0.0.5"), 100)).isEmpty();
    }

    @Test
    void linkLocalStaysOnItsVlan() {
        local.add(address("fe80::a/64", 0));
        local.add(address("fe80::b/64", 100));
        local.add(address("fd00::b/64", 100));
        Routes routes = routes();
        assertThat(routes.to(ip("fe80::99"), 100)).isEqualTo(hop("fe80::99", 100));
        assertThat(routes.to(ip("fe80::99"), 0)).isEqualTo(hop("fe80::99", 0));
        assertThat(routes.source(ip("fe80::99"), 100)).isEqualTo(Optional.of(address("fe80::b/64", 100)));
        assertThat(routes.source(ip("fe80::99"), 0)).isEqualTo(Optional.of(address("fe80::a/64", 0)));
        assertThat(routes.source(ip("fe80::99"), 7)).isEmpty();
    }

    @Test
    void theSourceIsTheAddressNextToTheNextHop() {
        local.add(address("10.0.0.1/24", 0));
        local.add(address("10.1.0.1/24", 100));
        local.add(address("fe80::a/64", 0));
        local.add(address("fd00::a/64", 0));
        Routes routes = routes(via("192.168.0.0/16", "10.1.0.254", 100), via("::/0", "fe80::1", 0));
        assertThat(routes.source(ip("10.0.0.9"), 0)).isEqualTo(Optional.of(address("10.0.0.1/24", 0)));
        assertThat(routes.source(ip("10.1.0.9"), 0)).isEqualTo(Optional.of(address("10.1.0.1/24", 100)));
        assertThat(routes.source(ip("192.168.9.9"), 0)).isEqualTo(Optional.of(address("10.1.0.1/24", 100)));
        assertThat(routes.source(ip("2001:db8::1"), 0)).isEqualTo(Optional.of(address("fd00::a/64", 0)));
        assertThat(routes.source(ip("172.16.0.1"), 0)).isEmpty();
        assertThat(routes.source(ip("10.1.0.1"), 0).map(LocalAddress::vlan)).isEqualTo(Optional.of(100));
        assertThat(routes.source(ip("127.0.0.9"), 100).map(LocalAddress::address))
                .isEqualTo(Optional.of(ip("127.0.0.9")));
    }

    @Test
    void aRouteThatCannotBeIsRefused() {
        assertThatThrownBy(() -> via("10.0.0.0/33", "10.0.0.1", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> via("10.0.0.0/8", "fe80::1", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> via("10.0.0.0/8", "10.0.0.1", 4095)).isInstanceOf(IllegalArgumentException.class);
    }

    private Routes routes(Route... routes) {
        return new Routes(local, List.of(routes));
    }

    private static Route via(String prefix, String gateway, int vlan) {
        LocalAddress parsed = address(prefix, 0);
        return new Route(parsed.address(), parsed.prefixLength(), Optional.of(IpAddress.parse(gateway)), vlan);
    }

    private static Optional<Hop> hop(String address, int vlan) {
        return Optional.of(new Hop.Neighbour(ip(address), vlan));
    }
}
