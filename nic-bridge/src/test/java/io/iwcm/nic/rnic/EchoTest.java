package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.RnicRig.OURS;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.VlanTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Echo requests to our addresses: answered, except where an answer would be wrong. */
class EchoTest {

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "fd00::1/64", "fe80::1/64", "10.1.0.1/24@100");

    @ParameterizedTest
    @CsvSource({
        "10.0.0.2, 10.0.0.1, 0",
        "10.1.0.2, 10.1.0.1, 100",
        "fd00::2, fd00::1, 0",
        "fe80::2, fe80::1, 0",
    })
    void aRequestIsAnsweredWithItsDataOnItsVlan(String from, String to, int vlan) {
        rig.receive(echo(from, to, OURS, vlan, 0));

        String tag = vlan == 0 ? "" : " vlan " + vlan;
        assertThat(rig.take()).containsExactly("> " + PEER + " echo reply " + ip(to) + " 7/8 c0ffee" + tag);
    }

    @Test
    void nobodyIsAnsweredForWhatWasSentToEverybody() {
        rig.receive(echo("10.0.0.2", "10.0.0.1", MacAddress.BROADCAST, 0, 0));
        rig.receive(echo(
                "fd00::2",
                "fd00::1",
                LocalAddresses.groupMac(((Ipv6Address) ip("fd00::1")).solicitedNodeMulticast()),
                0,
                0));
        rig.receive(echo("10.0.0.2", "10.0.0.255", MacAddress.BROADCAST, 0, 0));
        rig.receive(echo("10.0.0.2", "255.255.255.255", MacAddress.BROADCAST, 0, 0));

        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.IP_BAD_DESTINATION)).isEqualTo(2);
        assertThat(rig.drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(2);
    }

    @Test
    void nothingIsSentToEverybodyOrToOurselvesBecauseASourceSaysSo() {
        rig.receive(echo("10.0.0.255", "10.0.0.1", OURS, 0, 0));
        rig.receive(echo("10.0.0.1", "10.0.0.1", OURS, 0, 0));
        rig.receive(echo("fd00::1", "fd00::1", OURS, 0, 0));

        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.IP_BAD_SOURCE)).isEqualTo(3);
    }

    @Test
    void aFragmentIsNotAnswered() {
        rig.receive(echo("10.0.0.2", "10.0.0.1", OURS, 0, 0x2000));

        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.IPV4_FRAGMENT)).isEqualTo(1);
    }

    /** @param fragment bits for the IPv4 flags and offset, DF taken out; 0 leaves them */
    private static byte[] echo(String from, String to, MacAddress mac, int vlan, int fragment) {
        var ethernet = new EthernetHeader(mac, PEER, new VlanTag(0, false, vlan));
        byte[] frame =
                FrameEncoder.echo(new Parsed.Echo(ethernet, ip(from), ip(to), true, 7, 8, Octets.ofHex("c0ffee")), 1);
        if (fragment != 0) {
            // RFC 1624: what is taken from one word is added to the checksum.
            int sum = ((frame[24] & 0xff) << 8 | (frame[25] & 0xff)) + 0x4000 - fragment;
            frame[20] = (byte) (fragment >>> 8);
            frame[24] = (byte) (sum >>> 8);
            frame[25] = (byte) sum;
        }
        return frame;
    }
}
