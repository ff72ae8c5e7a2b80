package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.seq;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.SynCookies.Verdict;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookies by themselves: what they say, what they are bound to, and for how long. */
class SynCookiesTest {

    private static final long SLOT_NS = 64_000_000_000L;
    private static final long START_NS = 5_000_000_000L;
    private static final int SCALE = 2;
    private static final FlowKey FLOW = flow("10.0.0.1:4420", "10.0.0.2:33000");
    private static final FlowKey FLOW_V6 = flow("[fd00::1]:4420", "[fd00::2]:33000", 7);
    private static final SeqNum ISN = seq(1000);
    private static final TcpOptions USUAL = TcpOptions.ofSyn(1460, 7);

    private final SynCookies cookies = new SynCookies(secrets(1), SLOT_NS, START_NS);

    /** Deterministic here; of a strong source in earnest. */
    private static LongSupplier secrets(long seed) {
        return new Random(seed)::nextLong;
    }

    private static long inSlot(long slot) {
        return START_NS + slot * SLOT_NS + SLOT_NS / 2;
    }

    private static Segment syn(SeqNum isn, TcpOptions options) {
        return new Segment(isn, seq(0), Segment.SYN, 8192, options, Octets.EMPTY);
    }

    private static Segment ack(SeqNum peerIsn, SeqNum cookie) {
        return new Segment(peerIsn.plus(1), cookie.plus(1), Segment.ACK, 8192, TcpOptions.NONE, Octets.EMPTY);
    }

    private SeqNum make(FlowKey flow, TcpOptions options, long slot) {
        return cookies.make(flow, syn(ISN, options), SCALE, Optional.empty(), inSlot(slot))
                .orElseThrow();
    }

    private Verdict check(FlowKey flow, SeqNum peerIsn, SeqNum cookie, long slot) {
        return cookies.check(flow, ack(peerIsn, cookie), SCALE, inSlot(slot));
    }

    @ParameterizedTest(name = "{0} {1} means {2}")
    @CsvSource({
        "4, 216, 216", "4, 535, 216", "4, 536, 536", "4, 1459, 1410", "4, 1460, 1460", "4, 8959, 4056", "4, 8960, 8960",
        "4, 65535, 8960", "4, -1, 536", "4, 0, 536", "6, 216, 216", "6, 1219, 536", "6, 1220, 1220", "6, 1440, 1440",
        "6, 1460, 1440", "6, 65535, 8940", "6, -1, 1220", "6, 0, 1220"
    })
    void remembersAnMssThatThePeerCanTake(int version, int said, int remembered) {
        FlowKey flow = version == 4 ? FLOW : FLOW_V6;
        SeqNum cookie = make(flow, TcpOptions.ofSyn(said, 7), 0);
        assertThat(check(flow, ISN, cookie, 0)).isEqualTo(new Verdict.Good(TcpOptions.ofSyn(remembered, 7)));
    }

    @Test
    void remembersEveryWindowScaleExactly() {
        for (int said = TcpOptions.ABSENT; said <= 255; said++) {
            SeqNum cookie = make(FLOW, TcpOptions.ofSyn(1460, said), 0);
            assertThat(check(FLOW, ISN, cookie, 0))
                    .isEqualTo(new Verdict.Good(TcpOptions.ofSyn(1460, Math.min(said, 14))));
        }
    }

    /** A segment of the least MSS that a cookie can say would be too large for it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 88, 215})
    void makesNoneForAPeerThatTakesLessThanACookieCanSay(int mss) {
        assertThat(cookies.make(FLOW, syn(ISN, TcpOptions.ofSyn(mss, 7)), SCALE, Optional.empty(), inSlot(0)))
                .isEmpty();
        assertThat(cookies.make(FLOW_V6, syn(ISN, TcpOptions.ofSyn(mss, 7)), SCALE, Optional.empty(), inSlot(0)))
                .isEmpty();
    }

    @Test
    @Tag("FC-44")
    void isBoundToEveryBitOfThePeersInitialSequenceNumber() {
        SeqNum cookie = make(FLOW, USUAL, 0);
        for (int bit = 0; bit < 32; bit++) {
            assertThat(check(FLOW, new SeqNum(ISN.value() ^ 1 << bit), cookie, 0))
                    .as("bit %d", bit)
                    .isEqualTo(new Verdict.Bad());
        }
    }

    @Test
    @Tag("FC-44")
    void isBoundToEveryBitOfBothEndsAndTheVlan() {
        SeqNum cookie = make(FLOW, USUAL, 0);
        Endpoint local = FLOW.local();
        Endpoint remote = FLOW.remote();
        for (int bit = 0; bit < 16; bit++) {
            Endpoint otherLocal = new Endpoint(local.address(), local.port() ^ 1 << bit);
            Endpoint otherRemote = new Endpoint(remote.address(), remote.port() ^ 1 << bit);
            assertThat(check(new FlowKey(otherLocal, remote, 0), ISN, cookie, 0))
                    .isEqualTo(new Verdict.Bad());
            assertThat(check(new FlowKey(local, otherRemote, 0), ISN, cookie, 0))
                    .isEqualTo(new Verdict.Bad());
        }
        for (int bit = 0; bit < 32; bit++) {
            assertThat(check(new FlowKey(flipped(local, bit), remote, 0), ISN, cookie, 0))
                    .isEqualTo(new Verdict.Bad());
            assertThat(check(new FlowKey(local, flipped(remote, bit), 0), ISN, cookie, 0))
                    .isEqualTo(new Verdict.Bad());
        }
        for (int vlan = 1; vlan <= 2048; vlan <<= 1) {
            assertThat(check(new FlowKey(local, remote, vlan), ISN, cookie, 0)).isEqualTo(new Verdict.Bad());
        }
        assertThat(check(FLOW.reversed(), ISN, cookie, 0)).isEqualTo(new Verdict.Bad());
    }

    private static Endpoint flipped(Endpoint end, int bit) {
        int bits = ((io.iwcm.nic.wire.Ipv4Address) end.address()).bits();
        return new Endpoint(new io.iwcm.nic.wire.Ipv4Address(bits ^ 1 << bit), end.port());
    }

    /** But for the topmost bit, which says nothing: see {@link #isTurnedToBeBeyondAnEarlierConnection}. */
    @Test
    void hasNoBitThatCouldBeAnother() {
        SeqNum cookie = make(FLOW, USUAL, 0);
        for (int bit = 0; bit < 31; bit++) {
            SeqNum other = new SeqNum(cookie.value() ^ 1 << bit);
            assertThat(check(FLOW, ISN, other, 0)).as("bit %d", bit).isEqualTo(new Verdict.Bad());
            // MSS, scale and parity are mixed with eight bits of the hash: turning both at once changes only them.
            SeqNum both = new SeqNum(cookie.value() ^ (1 << bit % 8) ^ (1 << bit % 8 + 8));
            assertThat(check(FLOW, ISN, both, 0)).as("bits %d", bit).isEqualTo(new Verdict.Bad());
        }
    }

    @Test
    void isBoundToOurWindowScale() {
        SeqNum cookie = make(FLOW, USUAL, 0);
        for (int other = 0; other <= 14; other++) {
            assertThat(cookies.check(FLOW, ack(ISN, cookie), other, inSlot(0)))
                    .isEqualTo(other == SCALE ? new Verdict.Good(USUAL) : new Verdict.Bad());
        }
    }

    @Test
    @Tag("FC-44")
    void isGoodInItsSlotAndTheNextThenStaleThenUnknown() {
        for (long slot : new long[] {0, 1, 2, 3, 70_000}) {
            SeqNum cookie = make(FLOW, USUAL, slot);
            assertThat(check(FLOW, ISN, cookie, slot)).isEqualTo(new Verdict.Good(USUAL));
            assertThat(check(FLOW, ISN, cookie, slot + 1)).isEqualTo(new Verdict.Good(USUAL));
            assertThat(check(FLOW, ISN, cookie, slot + 2)).isEqualTo(new Verdict.Stale());
            assertThat(check(FLOW, ISN, cookie, slot + 3)).isEqualTo(new Verdict.Stale());
            assertThat(check(FLOW, ISN, cookie, slot + 4)).isEqualTo(new Verdict.Bad());
        }
    }

    @Test
    void isKnownByTimeAsLongAsBySecret() {
        assertThat(cookies.remembers(inSlot(10), inSlot(13))).isTrue();
        assertThat(cookies.remembers(inSlot(10), inSlot(14))).isFalse();
    }

    /** Long silence: the secrets of the slots that nobody used are none of those before. */
    @Test
    void forgetsAllSecretsOfBeforeALongSilence() {
        SeqNum cookie = make(FLOW, USUAL, 3);
        for (long slot = 1_000; slot < 1_008; slot++) {
            assertThat(check(FLOW, ISN, cookie, slot)).isEqualTo(new Verdict.Bad());
        }
    }

    @Test
    void isWorthNothingToAnotherNic() {
        SynCookies other = new SynCookies(secrets(2), SLOT_NS, START_NS);
        assertThat(other.check(FLOW, ack(ISN, make(FLOW, USUAL, 0)), SCALE, inSlot(0)))
                .isEqualTo(new Verdict.Bad());
    }

    @Test
    void isTheSameForARepeatedSyn() {
        assertThat(make(FLOW, USUAL, 5)).isEqualTo(make(FLOW, USUAL, 5));
        assertThat(make(FLOW, USUAL, 6)).isNotEqualTo(make(FLOW, USUAL, 5));
    }

    /** RFC 9293 §3.6.1, MAY-2: the new connection's number lies beyond the old one's, whatever that was. */
    @Test
    void isTurnedToBeBeyondAnEarlierConnection() {
        Random random = new Random(4);
        for (int i = 0; i < 1_000; i++) {
            SeqNum above = new SeqNum(random.nextInt());
            SeqNum isn = new SeqNum(random.nextInt());
            SeqNum cookie = cookies.make(FLOW, syn(isn, USUAL), SCALE, Optional.of(above), inSlot(0))
                    .orElseThrow();
            assertThat(cookie.after(above)).isTrue();
            assertThat(check(FLOW, isn, cookie, 1)).isEqualTo(new Verdict.Good(USUAL));
        }
        SeqNum cookie = make(FLOW, USUAL, 0);
        for (int exactly : new int[] {0, 1 << 31}) { // Half a turn is neither before nor after.
            SeqNum above = new SeqNum(cookie.value() ^ exactly);
            assertThat(cookies.make(FLOW, syn(ISN, USUAL), SCALE, Optional.of(above), inSlot(0)))
                    .isEmpty();
        }
    }

    /** FC-49A: no visible relation across flows, or across the peer's numbers of one flow. */
    @Test
    @Tag("FC-49A")
    void looksLikeChanceInEveryBit() {
        int many = 10_000;
        assertEven(IntStream.range(0, many)
                .map(i -> make(flow("10.0.0.1:4420", "10.0." + i / 200 + ".2:" + (1024 + i % 200)), USUAL, 0)
                        .value())
                .toArray());
        assertEven(IntStream.range(0, many)
                .map(i -> cookies.make(FLOW, syn(seq(i), USUAL), SCALE, Optional.empty(), inSlot(0))
                        .orElseThrow()
                        .value())
                .toArray());
        assertEven(LongStream.range(0, many)
                .mapToInt(slot -> make(FLOW, USUAL, slot).value())
                .toArray());
    }

    /** Each bit is set in half of them, and differs from the number before in half of them; almost all are different. */
    private static void assertEven(int[] values) {
        int margin = 5 * (int) Math.sqrt(values.length) / 2; // Five standard deviations.
        for (int bit = 0; bit < 32; bit++) {
            int set = 0;
            int changed = 0;
            for (int i = 0; i < values.length; i++) {
                set += values[i] >>> bit & 1;
                changed += (values[i] ^ values[(i + 1) % values.length]) >>> bit & 1;
            }
            assertThat(set).as("bit %d set", bit).isBetween(values.length / 2 - margin, values.length / 2 + margin);
            assertThat(changed)
                    .as("bit %d changed", bit)
                    .isBetween(values.length / 2 - margin, values.length / 2 + margin);
        }
        Set<Integer> distinct = new HashSet<>();
        IntStream.of(values).forEach(distinct::add);
        assertThat(distinct).hasSizeGreaterThan(values.length - 10);
    }

    /** One number in eight million would do. */
    @Test
    void isNotGuessed() {
        Random random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            assertThat(check(FLOW, ISN, new SeqNum(random.nextInt()), 0)).isEqualTo(new Verdict.Bad());
        }
    }

    @Test
    @Tag("FC-49A")
    void doesNotSayItsSecrets() {
        long secret = 0x0123_4567_89ab_cdefL;
        assertThat(new SynCookies(() -> secret, SLOT_NS, START_NS).toString()).isEqualTo("SynCookies[secret]");
        assertThat(new SipHash(secret, secret).toString()).isEqualTo("SipHash[secret]");
    }
}
