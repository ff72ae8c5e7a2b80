package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.OURS;
import static io.iwcm.nic.wire.RawFrames.OUR_V6;
import static io.iwcm.nic.wire.RawFrames.PEER;
import static io.iwcm.nic.wire.RawFrames.PEER_V6;
import static io.iwcm.nic.wire.RawFrames.cut;
import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.icmpv6;
import static io.iwcm.nic.wire.RawFrames.join;
import static io.iwcm.nic.wire.RawFrames.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeighbourTest {

    private static final Ipv6Address UNSPECIFIED = new Ipv6Address(0, 0);
    private static final Ipv6Address OUR_GROUP = OUR_V6.solicitedNodeMulticast();
    private static final byte[] TARGET_US = OUR_V6.toBytes();
    private static final byte[] SOURCE_LINK = hex("0101 020000000002");
    private static final byte[] TARGET_LINK = hex("0201 020000000002");

    /** The peer asks for our address. */
    private static final byte[] SOLICITATION = join(hex("87 00 0000 00000000"), TARGET_US, SOURCE_LINK);

    /** The peer tells of its own. */
    private static final byte[] ADVERTISEMENT = join(hex("88 00 0000 60000000"), PEER_V6.toBytes(), TARGET_LINK);

    private static final EthernetHeader TO_US = new EthernetHeader(OURS, PEER, EthernetHeader.NO_TAG);

    private static NeighbourMessage read(byte[] frame) {
        Parsed parsed = FrameParser.parse(frame);
        assertThat(parsed).isInstanceOf(Parsed.Neighbour.class);
        assertThat(((Parsed.Neighbour) parsed).ethernet()).isEqualTo(TO_US);
        return ((Parsed.Neighbour) parsed).message();
    }

    @Test
    void aSolicitationIsReadAndAnswered() {
        var solicitation = (NeighbourMessage.Solicitation) read(icmpv6(PEER_V6, OUR_GROUP, 255, SOLICITATION));

        assertThat(solicitation)
                .isEqualTo(new NeighbourMessage.Solicitation(PEER_V6, OUR_GROUP, OUR_V6, Optional.of(PEER)));
        assertThat(solicitation.isDuplicateCheck()).isFalse();
        assertThat(FrameEncoder.neighbour(TO_US.reply(OURS), solicitation.answer(OURS)))
                .isEqualTo(toPeer(icmpv6(
                        OUR_V6, PEER_V6, 255, join(hex("88 00 0000 60000000"), TARGET_US, hex("0201 020000000001")))));
    }

    /** Frames are built from the peer to us; here turned round. */
    private static byte[] toPeer(byte[] frame) {
        byte[] turned = frame.clone();
        BigEndian.putMac(turned, 0, PEER);
        BigEndian.putMac(turned, 6, OURS);
        return turned;
    }

    @Test
    void aDuplicateCheckIsAnsweredToEverybody() {
        byte[] message = cut(SOLICITATION, 0, 24);
        var solicitation = (NeighbourMessage.Solicitation) read(icmpv6(UNSPECIFIED, OUR_GROUP, 255, message));

        assertThat(solicitation.isDuplicateCheck()).isTrue();
        assertThat(solicitation.linkAddress()).isEmpty();
        NeighbourMessage.Advertisement answer = solicitation.answer(OURS);
        assertThat(answer.destination()).isEqualTo(NeighbourMessage.ALL_NODES);
        assertThat(answer.flags()).isEqualTo(new NeighbourMessage.Flags(false, false, true));
    }

    @ParameterizedTest
    @CsvSource({
        "00, false, false, false",
        "80, true, false, false",
        "40, false, true, false",
        "20, false, false, true",
        "ff, true, true, true"
    })
    void anAdvertisementIsReadWithItsFlags(String octet, boolean router, boolean solicited, boolean override) {
        byte[] message = with(ADVERTISEMENT, 4, Integer.parseInt(octet, 16));

        assertThat(read(icmpv6(message)))
                .isEqualTo(new NeighbourMessage.Advertisement(
                        PEER_V6,
                        OUR_V6,
                        PEER_V6,
                        Optional.of(PEER),
                        new NeighbourMessage.Flags(router, solicited, override)));
    }

    @Test
    void theLinkAddressIsOptional() {
        assertThat(read(icmpv6(cut(ADVERTISEMENT, 0, 24))).linkAddress()).isEmpty();
        assertThat(read(icmpv6(cut(SOLICITATION, 0, 24))).linkAddress()).isEmpty();
    }

    @Test
    void otherOptionsAreSkippedAndTheFirstOfAKindCounts() {
        byte[] nonce = hex("0e01 112233445566");
        byte[] mtu = hex("0501 0000 000005dc");
        byte[] twoUnits = hex("fd02 0000000000000000000000000000");
        byte[] second = hex("0201 020000000099");

        byte[] message = join(cut(ADVERTISEMENT, 0, 24), nonce, mtu, twoUnits, SOURCE_LINK, TARGET_LINK, second);

        assertThat(read(icmpv6(message)).linkAddress()).contains(PEER);
    }

    @Test
    void ourQuestionGoesToTheGroupOfTheTarget() {
        var question = NeighbourMessage.Solicitation.resolve(OURS, OUR_V6, PEER_V6);
        var ethernet = new EthernetHeader(MacAddress.ofGroup(question.destination()), OURS, EthernetHeader.NO_TAG);

        byte[] expected = icmpv6(
                OUR_V6,
                Ipv6Address.parse("ff02::1:ff00:2"),
                255,
                join(hex("87 00 0000 00000000"), PEER_V6.toBytes(), hex("0101 020000000001")));
        byte[] turned = toPeer(expected);
        BigEndian.putMac(turned, 0, MacAddress.parse("33:33:ff:00:00:02"));
        assertThat(FrameEncoder.neighbour(ethernet, question)).isEqualTo(turned);
    }

    @Test
    void ourProbeGoesToTheNeighbourItself() {
        assertThat(NeighbourMessage.Solicitation.probe(OURS, OUR_V6, PEER_V6).destination())
                .isEqualTo(PEER_V6);
    }

    @Test
    void ourAnnouncementIsUnsolicited() {
        var announcement = NeighbourMessage.Advertisement.announcement(OURS, OUR_V6);

        assertThat(announcement.flags()).isEqualTo(new NeighbourMessage.Flags(false, false, true));
        assertThat(announcement.destination()).isEqualTo(NeighbourMessage.ALL_NODES);
        assertThat(announcement.linkAddress()).contains(OURS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 254})
    void aForwardedMessageIsDiscarded(int hopLimit) {
        Expect.dropped(icmpv6(PEER_V6, OUR_V6, hopLimit, SOLICITATION), Drop.ND_INVALID);
        Expect.dropped(icmpv6(PEER_V6, OUR_V6, hopLimit, ADVERTISEMENT), Drop.ND_INVALID);
    }

    /** An option of length 0 among them: a reader that does not get past it must be seen to hang. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everythingElseThatRfc4861Section7Point1ForbidsIsDiscarded() {
        byte[] multicastTarget = NeighbourMessage.ALL_NODES.toBytes();
        byte[] bare = cut(SOLICITATION, 0, 24);
        for (byte[] message : new byte[][] {SOLICITATION, ADVERTISEMENT}) {
            byte[] head = cut(message, 0, 24);
            invalid(with(message, 1, 1)); // code
            invalid(cut(message, 0, 23)); // short
            invalid(cut(message, 0, 8));
            invalid(join(cut(message, 0, 8), multicastTarget));
            invalid(join(head, hex("0e00 112233445566"))); // option of length 0
            invalid(join(head, hex("0e02 112233445566"))); // option past the message
            invalid(join(head, hex("0e01 1122"))); // option cut short
            invalid(join(head, hex("00")));
        }
        // A duplicate check with a link address, or to another group than the target's.
        Expect.dropped(icmpv6(UNSPECIFIED, OUR_GROUP, 255, SOLICITATION), Drop.ND_INVALID);
        Expect.dropped(icmpv6(UNSPECIFIED, OUR_V6, 255, bare), Drop.ND_INVALID);
        Expect.dropped(icmpv6(UNSPECIFIED, PEER_V6.solicitedNodeMulticast(), 255, bare), Drop.ND_INVALID);
        // An answer that goes to everybody.
        Expect.dropped(icmpv6(PEER_V6, NeighbourMessage.ALL_NODES, 255, ADVERTISEMENT), Drop.ND_INVALID);
    }

    @Test
    void linkAddressesThatNoNeighbourHasAreDiscarded() {
        invalid(join(cut(SOLICITATION, 0, 24), hex("0101 ffffffffffff")));
        invalid(join(cut(ADVERTISEMENT, 0, 24), hex("0201 333300000001")));
        // Sixteen octets are no Ethernet address.
        invalid(join(cut(ADVERTISEMENT, 0, 24), hex("0202 0200000000020000000000000000")));
    }

    private static void invalid(byte[] message) {
        Expect.dropped(icmpv6(message), Drop.ND_INVALID);
    }

    @Test
    void nobodyAdvertisesWithoutAnAddress() {
        Expect.dropped(icmpv6(UNSPECIFIED, OUR_V6, 255, ADVERTISEMENT), Drop.IP_BAD_SOURCE);
    }
}
