package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.IP;
import static io.iwcm.nic.wire.RawFrames.TCP_V4;
import static io.iwcm.nic.wire.RawFrames.cut;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.icmp;
import static io.iwcm.nic.wire.RawFrames.icmpv6;
import static io.iwcm.nic.wire.RawFrames.ipv4;
import static io.iwcm.nic.wire.RawFrames.ipv6;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.resealedIpv4;
import static io.iwcm.nic.wire.RawFrames.resealedTcp;
import static io.iwcm.nic.wire.RawFrames.synV4;
import static io.iwcm.nic.wire.RawFrames.synV6;
import static io.iwcm.nic.wire.RawFrames.tagged;
import static io.iwcm.nic.wire.RawFrames.tcpV4;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One frame for each reason to drop that the parser has; a reason without a frame fails. */
class DropTableTest {

    private static final byte[] ARP = hex("0001 0800 06 04 0001 020000000002 0a000002 000000000000 0a000001");
    private static final byte[] NONE = new byte[0];

    /** Reasons that are found after parsing, by whoever knows addresses, tables and queues. */
    private static final Set<Drop> NOT_THE_PARSERS = EnumSet.of(
            Drop.NONE,
            Drop.ETH_NOT_FOR_US,
            Drop.NO_STEERING,
            Drop.ADDRESS_NOT_LOCAL,
            Drop.SYN_BACKLOG_FULL,
            Drop.BACKLOG_FULL,
            Drop.ILQ_FULL,
            Drop.SUPERSEDED,
            Drop.LINK_QUEUE_FULL);

    private static final Map<Drop, byte[]> TABLE = new EnumMap<>(Drop.class);

    static {
        TABLE.put(Drop.ETH_TRUNCATED, cut(synV4(), 0, 13));
        TABLE.put(Drop.ETH_BAD_SOURCE, with(synV4(), 6, 0x03));
        TABLE.put(Drop.ETH_UNKNOWN_TYPE, RawFrames.ethernet(0x88cc, NONE));
        TABLE.put(Drop.VLAN_TRUNCATED, cut(tagged(100, synV4()), 0, 17));
        TABLE.put(Drop.VLAN_STACKED, tagged(200, tagged(7, synV4())));
        TABLE.put(Drop.VLAN_RESERVED, tagged(0xafff, synV4()));
        TABLE.put(Drop.ARP_MALFORMED, RawFrames.ethernet(0x0806, cut(ARP, 0, 27)));
        TABLE.put(Drop.ARP_UNUSED, RawFrames.ethernet(0x0806, with(ARP, 7, 8)));
        TABLE.put(Drop.ARP_INVALID, RawFrames.ethernet(0x0806, with(ARP, 8, 0xff)));
        TABLE.put(Drop.IPV4_TRUNCATED, cut(synV4(), 0, IP + 19));
        TABLE.put(Drop.IPV4_BAD_VERSION, with(synV4(), IP, 0x65));
        TABLE.put(Drop.IPV4_BAD_HEADER_LENGTH, with(synV4(), IP, 0x44));
        TABLE.put(Drop.IPV4_BAD_TOTAL_LENGTH, with(synV4(), IP + 3, 49));
        TABLE.put(Drop.IPV4_BAD_CHECKSUM, with(synV4(), IP + 8, 63));
        TABLE.put(Drop.IPV4_FRAGMENT, resealedIpv4(with(synV4(), IP + 6, 0x20)));
        TABLE.put(Drop.IPV6_TRUNCATED, cut(synV6(), 0, IP + 39));
        TABLE.put(Drop.IPV6_BAD_VERSION, with(synV6(), IP, 0x40));
        TABLE.put(Drop.IPV6_BAD_PAYLOAD_LENGTH, with(synV6(), IP + 5, 29));
        TABLE.put(Drop.IPV6_BAD_EXTENSION, ipv6(60, hex("0601000000000000")));
        TABLE.put(Drop.IPV6_BAD_OPTION, ipv6(60, hex("0600 c204 00010000")));
        TABLE.put(Drop.IPV6_ROUTED, ipv6(43, hex("0600 0001 00000000")));
        TABLE.put(Drop.IPV6_EXTENSION_LIMIT, ipv6(60, hex("3c00010400000000".repeat(9))));
        TABLE.put(Drop.IPV6_FRAGMENT, ipv6(44, hex("0600000000000001")));
        TABLE.put(Drop.IP_BAD_SOURCE, resealedIpv4(with(synV4(), IP + 12, 127)));
        TABLE.put(Drop.IP_BAD_DESTINATION, resealedIpv4(with(synV4(), IP + 16, 224)));
        TABLE.put(Drop.IP_UNKNOWN_PROTOCOL, ipv4(17, NONE));
        TABLE.put(Drop.ICMP_MALFORMED, ipv4(1, hex("08000000000000")));
        TABLE.put(Drop.ICMP_BAD_CHECKSUM, ipv4(1, hex("0800000000000000")));
        TABLE.put(Drop.ICMP_UNUSED, icmp(hex("0d00000000000000")));
        TABLE.put(Drop.ND_INVALID, icmpv6(hex("8700000000000000")));
        TABLE.put(Drop.TCP_TRUNCATED, ipv4(6, cut(synV4(), TCP_V4, TCP_V4 + 19)));
        TABLE.put(Drop.TCP_BAD_OFFSET, with(synV4(), TCP_V4 + 12, 0x40));
        TABLE.put(Drop.TCP_BAD_CHECKSUM, with(synV4(), TCP_V4 + 7, 0));
        TABLE.put(Drop.TCP_BAD_PORT, resealedTcp(with(synV4(), TCP_V4, 0, 0)));
        TABLE.put(Drop.TCP_BAD_FLAGS, tcpV4(Segment.SYN | Segment.FIN, NONE, NONE));
    }

    static Stream<Arguments> table() {
        return TABLE.entrySet().stream().map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void isDroppedByName(Drop why, byte[] frame) {
        Expect.dropped(frame, why);
    }

    /** What precedes IP does not matter, so every reason of IP and above must hold behind a tag, too. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void isDroppedByTheSameNameBehindATag(Drop why, byte[] frame) {
        boolean isOfEthernet = why.name().startsWith("ETH_") || why.name().startsWith("VLAN_");
        if (isOfEthernet) {
            assertThat(FrameParser.parse(frame)).isInstanceOf(Parsed.Dropped.class);
        } else {
            Expect.dropped(tagged(0x6064, frame), why);
        }
    }

    @Test
    void everyReasonOfTheParserHasARow() {
        assertThat(TABLE.keySet())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.copyOf(NOT_THE_PARSERS)));
    }

    @Test
    void eitherPortMayNotBeZero() {
        Expect.dropped(resealedTcp(with(synV4(), TCP_V4 + 2, 0, 0)), Drop.TCP_BAD_PORT);
        Expect.dropped(resealedTcp(with(synV6(), RawFrames.TCP_V6, 0, 0)), Drop.TCP_BAD_PORT);
    }

    @Test
    void everyReasonHasItsOwnSentence() {
        assertThat(Stream.of(Drop.values()).map(Drop::sentence))
                .doesNotHaveDuplicates()
                .allMatch(s -> s.length() > 3);
    }

    @Test
    void theEmptyFrameIsDropped() {
        Expect.dropped(NONE, Drop.ETH_TRUNCATED);
        Expect.dropped(join(NONE, hex("00")), Drop.ETH_TRUNCATED);
    }
}
