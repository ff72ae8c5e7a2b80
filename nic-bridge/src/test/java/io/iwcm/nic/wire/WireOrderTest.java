package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Addresses keep every bit between the octets of a frame and values. */
class WireOrderTest {

    private static final byte[] OCTETS =
            Octets.ofHex("ff 00112233445566778899aabbccddeeff ff").toBytes();

    @Test
    void readsAddressesOctetByOctet() {
        assertThat(BigEndian.ipv4At(OCTETS, 9)).isEqualTo(new Ipv4Address(0x8899aabb));
        assertThat(BigEndian.ipv6At(OCTETS, 1)).isEqualTo(new Ipv6Address(0x0011223344556677L, 0x8899aabbccddeeffL));
        for (int bit = 0; bit < 128; bit++) {
            byte[] one = oneBit(bit);
            assertThat(BigEndian.ipv6At(one, 0).toBytes()).isEqualTo(one);
            assertThat(BigEndian.ipv4At(one, bit / 32 * 4).toBytes())
                    .isEqualTo(Arrays.copyOfRange(one, bit / 32 * 4, bit / 32 * 4 + 4));
        }
    }

    @Test
    void writesAddressesOctetByOctet() {
        byte[] frame = OCTETS.clone();
        Arrays.fill(frame, 1, 17, (byte) 0x55);
        BigEndian.putIpv6(frame, 1, new Ipv6Address(0x0011223344556677L, 0x8899aabbccddeeffL));
        assertThat(frame).isEqualTo(OCTETS);
        Arrays.fill(frame, 9, 13, (byte) 0x55);
        BigEndian.putIpv4(frame, 9, new Ipv4Address(0x8899aabb));
        assertThat(frame).isEqualTo(OCTETS);
        for (int bit = 0; bit < 128; bit++) {
            byte[] written = new byte[16];
            BigEndian.putIpv6(written, 0, BigEndian.ipv6At(oneBit(bit), 0));
            assertThat(written).isEqualTo(oneBit(bit));
        }
    }

    private static byte[] oneBit(int bit) {
        byte[] octets = new byte[16];
        octets[bit / 8] = (byte) (0x80 >>> bit % 8);
        return octets;
    }
}
