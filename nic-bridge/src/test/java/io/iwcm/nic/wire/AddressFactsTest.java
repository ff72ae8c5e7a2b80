package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressFactsTest {

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,         true,  false, false, false",
        "0.0.0.1,         false, false, false, false",
        "127.0.0.1,       false, true,  false, false",
        "127.255.0.9,     false, true,  false, false",
        "128.0.0.1,       false, false, false, false",
        "223.255.255.255, false, false, false, false",
        "224.0.0.1,       false, false, true,  false",
        "239.255.255.255, false, false, true,  false",
        "240.0.0.1,       false, false, false, false",
        "169.254.0.1,     false, false, false, true",
        "169.255.0.1,     false, false, false, false",
        "::,              true,  false, false, false",
        "::1,             false, true,  false, false",
        "::2,             false, false, false, false",
        "1::1,            false, false, false, false",
        "ff02::1,         false, false, true,  false",
        "fe80::1,         false, false, false, true",
        "febf::1,         false, false, false, true",
        "fec0::1,         false, false, false, false",
        "fd00::1,         false, false, false, false"
    })
    void kindsOfAddresses(String text, boolean unspecified, boolean loopback, boolean multicast, boolean linkLocal) {
        IpAddress address = IpAddress.parse(text);

        assertThat(address.isUnspecified()).isEqualTo(unspecified);
        assertThat(address.isLoopback()).isEqualTo(loopback);
        assertThat(address.isMulticast()).isEqualTo(multicast);
        assertThat(address.isLinkLocal()).isEqualTo(linkLocal);
    }

    @Test
    void familiesNeverCompareEqual() {
        assertThat((Object) Ipv4Address.parse("0.0.0.0")).isNotEqualTo(Ipv6Address.parse("::"));
        assertThat(Ipv4Address.parse("0.0.0.0").inPrefix(Ipv6Address.parse("::"), 0))
                .isFalse();
        assertThat(Ipv6Address.parse("::").inPrefix(Ipv4Address.parse("0.0.0.0"), 0))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.0, 24, true",
        "10.1.3.3, 10.1.2.0, 24, false",
        "10.1.3.3, 10.1.2.0, 23, true",
        "10.1.2.3, 10.1.2.3, 32, true",
        "10.1.2.2, 10.1.2.3, 32, false",
        "10.1.2.2, 200.1.2.3, 0, true",
        "128.0.0.0, 0.0.0.0, 1, false",
        "fd00::1, fd00::, 64, true",
        "fd00:0:0:1::1, fd00::, 64, false",
        "fd00:0:0:1::1, fd00::, 63, true",
        "fd00::8000:0:0:1, fd00::, 65, false",
        "fd00::1, fd00::, 127, true",
        "fd00::1, fd00::, 128, false",
        "fd00::1, fd00::1, 128, true",
        "fd00::1, 2001::, 0, true"
    })
    void prefixesMatchByTheirLength(String address, String network, int length, boolean matches) {
        assertThat(IpAddress.parse(address).inPrefix(IpAddress.parse(network), length))
                .isEqualTo(matches);
    }

    @Test
    void prefixesAgreeWithBigIntegers() {
        var random = new SplittableRandom(4291);
        for (int i = 0; i < 2000; i++) {
            var one = new Ipv6Address(random.nextLong(), random.nextLong());
            int shared = random.nextInt(129);
            byte[] other = one.toBytes();
            if (shared < 128) {
                other[shared / 8] ^= (byte) (0x80 >>> shared % 8);
            }
            var changed = BigEndian.ipv6At(other, 0);
            int length = random.nextInt(129);
            BigInteger difference = new BigInteger(1, one.toBytes()).xor(new BigInteger(1, other));
            boolean expected = difference.shiftRight(128 - length).signum() == 0;
            assertThat(one.inPrefix(changed, length)).isEqualTo(expected);
            if (length <= 32) {
                var v4 = new Ipv4Address((int) (one.high() >>> 32));
                var v4Changed = new Ipv4Address((int) (changed.high() >>> 32));
                assertThat(v4.inPrefix(v4Changed, length)).isEqualTo(expected);
            }
        }
    }

    @Test
    void groupAddressesAreDerived() {
        Ipv6Address address = Ipv6Address.parse("fd00::aabb:ccdd");

        assertThat(address.solicitedNodeMulticast()).hasToString("ff02::1:ffbb:ccdd");
        assertThat(MacAddress.ofGroup(address.solicitedNodeMulticast())).hasToString("33:33:ff:bb:cc:dd");
        assertThat(MacAddress.ofGroup(NeighbourMessage.ALL_NODES)).hasToString("33:33:00:00:00:01");
        assertThat(MacAddress.BROADCAST.isGroup()).isTrue();
        assertThat(MacAddress.parse("01:00:5e:00:00:01").isGroup()).isTrue();
        assertThat(MacAddress.parse("02:00:5e:00:00:01").isGroup()).isFalse();
    }

    @Test
    void aVlanTagKeepsItsBits() {
        for (int control = 0; control <= 0xffff; control++) {
            assertThat(VlanTag.ofControl(control).control()).isEqualTo(control);
        }
        assertThat(VlanTag.ofControl(0xb064)).isEqualTo(new VlanTag(5, true, 100));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VlanTag(8, false, 1))
                .withMessage("VLAN priority 8 is out of range: 0..7 are allowed");
        assertThatIllegalArgumentException().isThrownBy(() -> new VlanTag(0, false, 4096));
    }

    @Test
    void aFlowHasOneFamilyAndARealVlan() {
        var v4 = new Endpoint(RawFrames.OUR_V4, 1);
        var v6 = new Endpoint(RawFrames.OUR_V6, 1);

        assertThatIllegalArgumentException().isThrownBy(() -> new FlowKey(v4, v6, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FlowKey(v4, v4, 4095))
                .withMessage("VLAN 4095 is out of range: 0..4094 are allowed");
        assertThat(new FlowKey(v4, v4, 4094)).hasToString("10.0.0.1:1 <> 10.0.0.1:1 vlan 4094");
    }
}
