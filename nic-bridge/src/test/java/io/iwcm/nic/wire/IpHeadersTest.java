package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.IP;
import static io.iwcm.nic.wire.RawFrames.OUR_V4;
import static io.iwcm.nic.wire.RawFrames.OUR_V6;
import static io.iwcm.nic.wire.RawFrames.PEER_V4;
import static io.iwcm.nic.wire.RawFrames.PEER_V6;
import static io.iwcm.nic.wire.RawFrames.TCP;
import static io.iwcm.nic.wire.RawFrames.TCP_V4;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.ipv4;
import static io.iwcm.nic.wire.RawFrames.ipv6;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.resealedIpv4;
import static io.iwcm.nic.wire.RawFrames.segment;
import static io.iwcm.nic.wire.RawFrames.synV4;
import static io.iwcm.nic.wire.RawFrames.synV6;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("FC-81: IP options, IPv6 extension headers, fragments, lengths that lie")
class IpHeadersTest {

    private static final byte[] NONE = new byte[0];
    private static final byte[] SYN_OPTIONS = hex("020405b4 01030307");

    @Nested
    class Ipv4 {

        @ParameterizedTest
        @ValueSource(ints = {5, 6, 10, 15})
        void theHeaderLengthIsHonoured(int words) {
            byte[] options = hex("01000000".repeat(words - 5));
            byte[] segment = segment(PEER_V4, OUR_V4, Segment.SYN, SYN_OPTIONS, NONE);

            TcpFrame parsed = Expect.tcp(ipv4(PEER_V4, OUR_V4, options, TCP, segment));

            assertThat(parsed).isEqualTo(Expect.tcp(synV4()));
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 4})
        void aHeaderOfLessThanFiveWordsIsDropped(int words) {
            Expect.dropped(resealedIpv4(with(synV4(), IP, 0x40 | words)), Drop.IPV4_BAD_HEADER_LENGTH);
        }

        @Test
        void aHeaderPastTheFrameIsDropped() {
            byte[] cut = RawFrames.cut(synV4(), 0, IP + 59);
            Expect.dropped(with(RawFrames.cut(cut, 0, IP + 30), IP, 0x4f), Drop.IPV4_BAD_HEADER_LENGTH);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 19, 49, 0xffff})
        void aTotalLengthThatCannotBeIsDropped(int total) {
            byte[] frame = with(synV4(), IP + 2, total >>> 8, total);
            Expect.dropped(resealedIpv4(frame), Drop.IPV4_BAD_TOTAL_LENGTH);
        }

        @Test
        void aTotalLengthOfTheHeaderAloneLeavesNoSegment() {
            Expect.dropped(resealedIpv4(with(synV4(), IP + 3, 20)), Drop.TCP_TRUNCATED);
            Expect.dropped(resealedIpv4(with(synV4(), IP + 3, 39)), Drop.TCP_TRUNCATED);
        }

        @ParameterizedTest
        @CsvSource({
            "0x2000, first of several",
            "0x2001, middle",
            "0x0001, last",
            "0x0006, overlapping the header",
            "0x6000, first although it says not to fragment",
            "0x3fff, last that is possible"
        })
        void fragmentsAreDropped(String field, String which) {
            int value = Integer.decode(field);
            byte[] frame = resealedIpv4(with(synV4(), IP + 6, value >>> 8, value));
            assertThat(FrameParser.parse(frame)).as(which).isEqualTo(new Parsed.Dropped(Drop.IPV4_FRAGMENT));
        }

        @ParameterizedTest
        @ValueSource(ints = {0x0000, 0x4000, 0x8000, 0xc000})
        void flagsThatMakeNoFragmentAreIgnored(int value) {
            byte[] frame = resealedIpv4(with(synV4(), IP + 6, value >>> 8, value));
            assertThat(Expect.tcp(frame)).isEqualTo(Expect.tcp(synV4()));
        }

        @ParameterizedTest
        @ValueSource(ints = {0x00, 0x10, 0x40, 0x80, 0xf0})
        void aDataOffsetOutsideTheSegmentIsDroppedBeforeAnythingElse(int offset) {
            // The checksum is left wrong on purpose.
            Expect.dropped(with(synV4(), TCP_V4 + 12, offset), Drop.TCP_BAD_OFFSET);
        }
    }

    @Nested
    class Ipv6 {

        private static final int HOP_BY_HOP = 0;
        private static final int ROUTING = 43;
        private static final int FRAGMENT = 44;
        private static final int DESTINATION = 60;

        private final byte[] segment = segment(PEER_V6, OUR_V6, Segment.SYN, hex("020405a0 01030307"), NONE);
        private final TcpFrame plain = Expect.tcp(synV6());

        /** A frame with this chain: each text is an extension header without its first octet. */
        private byte[] chain(int first, String... bodies) {
            byte[] payload = segment;
            int next = TCP;
            for (int i = bodies.length - 1; i >= 0; i--) {
                String[] typed = bodies[i].split("=", 2);
                payload = join(new byte[] {(byte) next}, hex(typed[1]), payload);
                next = Integer.parseInt(typed[0]);
            }
            assertThat(next).isEqualTo(first);
            return ipv6(next, payload);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "0=00 01 04 00000000", // PadN
                    "0=00 05 02 0000 0100", // router alert and PadN
                    "0=00 00 00 00 00 00 00", // Pad1
                    "0=01 01 0c 000000000000000000000000", // two units
                    "60=00 01 04 00000000",
                    "60=00 1e 04 01020304", // unknown, "skip"
                    "43=00 00 00 00000000", // routing, nothing left
                    "43=02 03 00 00000000 000000000000000000000000 00000000"
                })
        void headersThatSayNothingToUsAreWalked(String body) {
            int first = Integer.parseInt(body.substring(0, body.indexOf('=')));
            assertThat(Expect.tcp(chain(first, body))).isEqualTo(plain);
        }

        @Test
        void aChainOfThemIsWalked() {
            byte[] frame = chain(
                    HOP_BY_HOP,
                    "0=00 01 04 00000000",
                    "60=00 01 04 00000000",
                    "43=00 00 00 00000000",
                    "60=00 01 04 00000000");
            assertThat(Expect.tcp(frame)).isEqualTo(plain);
        }

        @Test
        void eightAreWalkedAndNoMore() {
            String[] eight = new String[8];
            java.util.Arrays.fill(eight, "60=00 01 04 00000000");
            String[] nine = java.util.Arrays.copyOf(eight, 9);
            nine[8] = eight[0];

            assertThat(Expect.tcp(chain(DESTINATION, eight))).isEqualTo(plain);
            Expect.dropped(chain(DESTINATION, nine), Drop.IPV6_EXTENSION_LIMIT);
        }

        @Test
        void hopByHopOptionsElsewhereThanFirstAreDropped() {
            byte[] frame = chain(DESTINATION, "60=00 01 04 00000000", "0=00 01 04 00000000");
            Expect.dropped(frame, Drop.IPV6_BAD_EXTENSION);
        }

        @ParameterizedTest
        @ValueSource(strings = {"01", "ff"})
        void aRouteThatIsNotFinishedIsDropped(String left) {
            Expect.dropped(chain(ROUTING, "43=00 00 " + left + " 00000000"), Drop.IPV6_ROUTED);
        }

        @ParameterizedTest
        @ValueSource(strings = {"44=00 0001 00000001", "44=00 0008 00000001", "44=00 0000 00000001"})
        void fragmentsAreDroppedTheAtomicOneToo(String body) {
            Expect.dropped(chain(FRAGMENT, body), Drop.IPV6_FRAGMENT);
            Expect.dropped(chain(DESTINATION, "60=00 01 04 00000000", body), Drop.IPV6_FRAGMENT);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "60=00 40 04 01020304", // discard
                    "60=00 80 04 01020304", // discard and tell
                    "60=00 c2 04 00010000", // jumbogram
                    "60=02 01 02 0000 c9 10 20010db8000000000000000000000009 0000", // home address
                    "0=00 40 04 01020304"
                })
        void optionsThatMustBeUnderstoodAreDropped(String body) {
            int first = Integer.parseInt(body.substring(0, body.indexOf('=')));
            Expect.dropped(chain(first, body), Drop.IPV6_BAD_OPTION);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "60=00 01 05 00000000",
                    "60=00 01 ff 00000000",
                    "0=00 01 02 0000 01 ff",
                    "60=00 01 03 000000 01"
                })
        void optionsPastTheirHeaderAreDropped(String body) {
            int first = Integer.parseInt(body.substring(0, body.indexOf('=')));
            Expect.dropped(chain(first, body), Drop.IPV6_BAD_EXTENSION);
        }

        @ParameterizedTest
        @ValueSource(ints = {HOP_BY_HOP, ROUTING, DESTINATION})
        void anExtensionPastThePacketIsDropped(int type) {
            Expect.dropped(ipv6(type, hex("06")), Drop.IPV6_BAD_EXTENSION);
            Expect.dropped(ipv6(type, hex("06000000000000")), Drop.IPV6_BAD_EXTENSION);
            Expect.dropped(ipv6(type, hex("0601000000000000")), Drop.IPV6_BAD_EXTENSION);
            Expect.dropped(ipv6(type, hex("06ff000000000000")), Drop.IPV6_BAD_EXTENSION);
            Expect.dropped(ipv6(type, NONE), Drop.IPV6_BAD_EXTENSION);
        }

        /** Here the octet that would be the option's length lies behind the frame. */
        @Test
        void anOptionWithoutALengthIsDropped() {
            Expect.dropped(ipv6(DESTINATION, hex("0600 0103 000000 01")), Drop.IPV6_BAD_EXTENSION);
        }

        /** The octets after the packet would do, were they not padding. */
        @Test
        void anExtensionDoesNotReachIntoThePadding() {
            byte[] frame = join(ipv6(DESTINATION, hex("06000104")), hex("00000000"), segment);
            Expect.dropped(frame, Drop.IPV6_BAD_EXTENSION);
        }

        @Test
        void anExtensionThatFillsThePacketLeavesNoSegment() {
            Expect.dropped(ipv6(DESTINATION, hex("0600010400000000")), Drop.TCP_TRUNCATED);
        }

        @ParameterizedTest
        @ValueSource(ints = {59, 50, 51, 135, 17, 1, 255})
        void whatNobodyReadsIsDropped(int protocol) {
            Expect.dropped(ipv6(protocol, segment), Drop.IP_UNKNOWN_PROTOCOL);
        }

        @Test
        void aPayloadPastTheFrameIsDropped() {
            Expect.dropped(with(synV6(), IP + 5, 29), Drop.IPV6_BAD_PAYLOAD_LENGTH);
            Expect.dropped(with(synV6(), IP + 4, 0xff, 0xff), Drop.IPV6_BAD_PAYLOAD_LENGTH);
        }

        @Test
        void aPayloadOfNothingLeavesNoSegment() {
            Expect.dropped(with(synV6(), IP + 4, 0, 0), Drop.TCP_TRUNCATED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 17, 41, 47, 58, 255})
    void ipv4ProtocolsThatNobodyReadsAreDropped(int protocol) {
        Expect.dropped(ipv4(protocol, hex("0011223344556677")), Drop.IP_UNKNOWN_PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0000, 0x05dc, 0x88cc, 0x8863, 0x8847, 0xffff})
    void etherTypesThatNobodyReadsAreDropped(int type) {
        Expect.dropped(RawFrames.ethernet(type, hex("0011223344556677")), Drop.ETH_UNKNOWN_TYPE);
        Expect.dropped(RawFrames.tagged(100, type, hex("0011223344556677")), Drop.ETH_UNKNOWN_TYPE);
    }

    @Test
    void stackedAndServiceTagsAreDropped() {
        byte[] once = RawFrames.tagged(7, synV4());
        Expect.dropped(RawFrames.tagged(200, once), Drop.VLAN_STACKED);
        Expect.dropped(with(once, 12, 0x88, 0xa8), Drop.VLAN_STACKED);
        Expect.dropped(with(once, 12, 0x91, 0x00), Drop.VLAN_STACKED);
        Expect.dropped(with(RawFrames.tagged(200, once), 16, 0x88, 0xa8), Drop.VLAN_STACKED);
    }
}
