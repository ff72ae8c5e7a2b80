package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTextTest {

    /** RFC 5952 §1, §2, §4, §5. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8::1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8::0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0db8::1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:0:1::1, 2001:db8::1:0:0:1",
        "2001:DB8:0:0:1::1, 2001:db8::1:0:0:1",
        "2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:1",
        "2001:db8::0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8:AAAA:BBBB:CCCC:DDDD:EEEE:AAAA, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:aaaa",
        "::ffff:192.0.2.1, ::ffff:192.0.2.1",
        "::FFFF:c000:0201, ::ffff:192.0.2.1",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "fe80::0, fe80::",
        "0:1:0:0:0:0:0:0, 0:1::",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::"
    })
    void ipv6PrintsAsRfc5952Recommends(String text, String canonical) {
        assertThat(IpAddress.parse(text)).hasToString(canonical);
        assertThat(IpAddress.parse(canonical)).isEqualTo(IpAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ipv6AgreesWithTheJdk(long seed) throws UnknownHostException {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            for (int group = 0; group < 8; group++) {
                if (random.nextInt(2) == 0) {
                    bytes[2 * group] = 0;
                    bytes[2 * group + 1] = (byte) random.nextInt(2);
                }
            }
            var address = BigEndian.ipv6At(bytes, 0);
            assertThat(address.toBytes()).isEqualTo(bytes);
            assertThat(Ipv6Address.parse(address.toString())).isEqualTo(address);
            InetAddress theirs = InetAddress.getByAddress(bytes);
            assertThat(Ipv6Address.parse(theirs.getHostAddress())).isEqualTo(address);
            assertThat(InetAddress.getByName(address.toString())).isEqualTo(theirs);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "255.255.255.255", "10.0.0.1", "127.0.0.1", "192.168.100.200"})
    void ipv4PrintsWhatItRead(String text) throws UnknownHostException {
        IpAddress address = IpAddress.parse(text);

        assertThat(address).hasToString(text);
        assertThat(address.toBytes()).isEqualTo(InetAddress.getByName(text).getAddress());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10.0.0",
                "10.0.0.0.1",
                "10.0.0.256",
                "10.0.0.01",
                "10.0.0.-1",
                "10.0.0.1 ",
                "1.2.3.",
                "localhost",
                "10",
                "10.0.0.٣",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "[::1]",
                "::1/64",
                "::256.0.0.1"
            })
    void textThatIsNoAddressIsRefusedInOneSentence(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpAddress.parse(text))
                .withMessage(
                        "'" + text + "' is not an IP address: dotted IPv4 as 10.0.0.1 or IPv6 as fd00::1 is allowed");
    }

    @Test
    void aMacPrintsWhatItRead() {
        MacAddress mac = MacAddress.parse("02:00:5E:10:00:ff");

        assertThat(mac).hasToString("02:00:5e:10:00:ff");
        assertThat(mac.bits()).isEqualTo(0x02005e1000ffL);
        assertThat(MacAddress.ZERO).hasToString("00:00:00:00:00:00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02:00:5e:10:00",
                "02:00:5e:10:00:01:02",
                "02-00-5e-10-00-01",
                "2:0:5e:10:0:1",
                "02:00:5e:10:00:0g",
                "02:00:5e:10:00:01 "
            })
    void textThatIsNoMacIsRefusedInOneSentence(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MacAddress.parse(text))
                .withMessage("'" + text
                        + "' is not a MAC address: six hex octets with colons are allowed, as 02:00:5e:10:00:01");
    }

    @Test
    void aMacHas48Bits() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MacAddress(1L << 48));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void aPortOutOfRangeIsRefusedInOneSentence(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Endpoint(RawFrames.OUR_V4, port))
                .withMessage("port " + port + " is out of range: 0..65535 are allowed");
    }

    @Test
    void endpointsPrintWithBracketsWhereNeeded() {
        assertThat(new Endpoint(RawFrames.OUR_V4, 4420)).hasToString("10.0.0.1:4420");
        assertThat(new Endpoint(RawFrames.OUR_V6, 4420)).hasToString("[fd00::1]:4420");
    }
}
