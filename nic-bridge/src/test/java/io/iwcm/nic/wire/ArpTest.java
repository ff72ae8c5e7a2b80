package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.OURS;
import static io.iwcm.nic.wire.RawFrames.OUR_V4;
import static io.iwcm.nic.wire.RawFrames.PEER;
import static io.iwcm.nic.wire.RawFrames.PEER_V4;
import static io.iwcm.nic.wire.RawFrames.ethernet;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.tagged;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArpTest {

    /** The peer, 10.0.0.2, asks for 10.0.0.1. */
    private static final byte[] REQUEST = hex("0001 0800 06 04 0001 020000000002 0a000002 000000000000 0a000001");

    private static final byte[] REPLY_OF_OURS = hex("0001 0800 06 04 0002 020000000001 0a000001 020000000002 0a000002");
    private static final EthernetHeader TO_US = new EthernetHeader(OURS, PEER, EthernetHeader.NO_TAG);
    private static final EthernetHeader TO_PEER = new EthernetHeader(PEER, OURS, EthernetHeader.NO_TAG);

    @Test
    void aRequestIsReadAndAnswered() {
        var parsed = (Parsed.Arp) FrameParser.parse(ethernet(0x0806, REQUEST));

        assertThat(parsed).isEqualTo(new Parsed.Arp(TO_US, ArpPacket.request(PEER, PEER_V4, OUR_V4)));
        assertThat(FrameEncoder.arp(
                        parsed.ethernet().reply(OURS), parsed.packet().reply(OURS)))
                .isEqualTo(join(hex("020000000002 020000000001 0806"), REPLY_OF_OURS));
    }

    @Test
    void theAnswerStaysOnTheVlan() {
        var parsed = (Parsed.Arp) FrameParser.parse(tagged(0x6064, 0x0806, REQUEST));

        assertThat(parsed.ethernet().tag()).isEqualTo(new VlanTag(3, false, 100));
        assertThat(FrameEncoder.arp(
                        parsed.ethernet().reply(OURS), parsed.packet().reply(OURS)))
                .isEqualTo(join(hex("020000000002 020000000001 8100 6064 0806"), REPLY_OF_OURS));
    }

    @Test
    void aQuestionOfOursIsARequest() {
        byte[] frame = FrameEncoder.arp(
                new EthernetHeader(MacAddress.BROADCAST, OURS, EthernetHeader.NO_TAG),
                ArpPacket.request(OURS, OUR_V4, PEER_V4));

        assertThat(frame)
                .isEqualTo(hex("ffffffffffff 020000000001 0806"
                        + "0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000002"));
    }

    @Test
    void anAnnouncementAsksForItself() {
        ArpPacket announcement = ArpPacket.announcement(OURS, OUR_V4);

        assertThat(FrameEncoder.arp(TO_PEER, announcement))
                .isEqualTo(hex("020000000002 020000000001 0806"
                        + "0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000001"));
        assertThat(announcement.isGratuitous()).isTrue();
        assertThat(announcement.isProbe()).isFalse();
    }

    @Test
    void aProbeHasNoAddressYet() {
        var parsed = (Parsed.Arp) FrameParser.parse(ethernet(0x0806, with(REQUEST, 14, 0, 0, 0, 0)));

        assertThat(parsed.packet().isProbe()).isTrue();
        assertThat(parsed.packet().isGratuitous()).isFalse();
    }

    @Test
    void paddingBehindThePacketIsIgnored() {
        assertThat(FrameParser.parse(ethernet(0x0806, join(REQUEST, hex("5a".repeat(18))))))
                .isEqualTo(FrameParser.parse(ethernet(0x0806, REQUEST)));
    }

    /** {@code value} in place of the octets from {@code at} on. */
    @ParameterizedTest
    @CsvSource({
        "0, 0006, ARP_MALFORMED",
        "2, 0806, ARP_MALFORMED",
        "4, 08, ARP_MALFORMED",
        "5, 10, ARP_MALFORMED",
        "6, 0000, ARP_UNUSED",
        "6, 0003, ARP_UNUSED",
        "6, 0102, ARP_UNUSED",
        "8, ffffffffffff, ARP_INVALID",
        "8, 030000000002, ARP_INVALID",
        "8, 000000000000, ARP_INVALID",
        "14, e0000001, ARP_INVALID",
        "14, ffffffff, ARP_INVALID",
        "14, 7f000001, ARP_INVALID"
    })
    void whatCannotBeBelievedIsDropped(int at, String value, Drop why) {
        byte[] packet = REQUEST.clone();
        System.arraycopy(hex(value), 0, packet, at, hex(value).length);

        Expect.dropped(ethernet(0x0806, packet), why);
    }

    @Test
    void aReplyWithoutASenderIsDropped() {
        Expect.dropped(ethernet(0x0806, with(with(REQUEST, 7, 2), 14, 0, 0, 0, 0)), Drop.ARP_INVALID);
    }

    @Test
    void everyShorterPacketIsDropped() {
        for (int length = 0; length < REQUEST.length; length++) {
            Expect.dropped(ethernet(0x0806, RawFrames.cut(REQUEST, 0, length)), Drop.ARP_MALFORMED);
        }
    }
}
