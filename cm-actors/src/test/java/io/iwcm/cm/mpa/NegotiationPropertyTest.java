package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.mpa.Initiator.Verdict.Accepted;
import io.iwcm.cm.mpa.Initiator.Verdict.MustTerminate;
import io.iwcm.cm.mpa.Initiator.Verdict.Rejected;
import io.iwcm.cm.mpa.Initiator.Wish;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Flags;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ends against each other, and each against a peer that says anything, over all wishes and policies. */
class NegotiationPropertyTest {

    private static final int CASES = 400;
    private static final int[] DEPTHS = {0, 0, 1, 1, 2, 4, 6, 16, 128, ReadDepths.MAX};

    private enum Outcome {
        CANNOT_ASK,
        REFUSED,
        REJECTED,
        CRC_TERMINATE,
        RTR_TERMINATE,
        ACCEPTED
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("FC-08")
    void twoEndsAgreeOrEndForAReason(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Outcome, Integer> seen = new EnumMap<>(Outcome.class);
        for (int i = 0; i < CASES; i++) {
            seen.merge(meet(random), 1, Integer::sum);
        }
        assertThat(seen).containsOnlyKeys(Outcome.values());
        assertThat(seen.get(Outcome.ACCEPTED)).isGreaterThan(CASES / 8);
    }

    private static Outcome meet(SplittableRandom random) {
        MpaPolicy ours = anyPolicy(random);
        MpaPolicy theirs = anyPolicy(random);
        Octets privateData = Mpa.pd(random.nextInt(5));
        Wish wish = new Wish(1 + random.nextInt(2), anyDepths(random), random.nextBoolean(), privateData);
        boolean peerToPeer = wish.revision() == 2 && wish.peerToPeer();
        RtrSet offered = ours.depthsMax().ord() == 0 ? ours.rtr().without(Rtr.READ) : ours.rtr();
        RtrSet acceptable = theirs.depthsMax().ird() == 0 ? theirs.rtr().without(Rtr.READ) : theirs.rtr();
        if (peerToPeer && offered.isEmpty()) {
            assertThatIllegalArgumentException().isThrownBy(() -> Initiator.request(wish, ours));
            return Outcome.CANNOT_ASK;
        }

        MpaFrame request = overTheWire(Initiator.request(wish, ours));
        boolean crcClash = theirs.crc() == CrcPolicy.STRICT_OFF && ours.crc() == CrcPolicy.REQUIRED;
        Responder.Verdict asked = Responder.judge(request, theirs);
        assertThat(asked instanceof Responder.Verdict.Refused)
                .isEqualTo(crcClash || peerToPeer && acceptable.isEmpty());
        if (asked instanceof Responder.Verdict.Refused(MpaFrame reply, String _)) {
            assertThat(Initiator.judge(wish, ours, overTheWire(reply))).isInstanceOf(Rejected.class);
            return Outcome.REFUSED;
        }
        if (random.nextInt(10) == 0) {
            MpaFrame reply = overTheWire(Responder.reject(request, theirs, privateData));
            assertThat(Initiator.judge(wish, ours, reply)).isEqualTo(new Rejected(PeerDepths.in(reply), privateData));
            return Outcome.REJECTED;
        }
        Optional<ReadDepths> depths = random.nextBoolean() ? Optional.of(anyDepths(random)) : Optional.empty();
        Responder.Accepted responder = Responder.accept(request, theirs, depths, privateData);
        MpaFrame reply = overTheWire(responder.reply());
        assertSameForm(request, reply);

        return switch (Initiator.judge(wish, ours, reply)) {
            case Accepted(Negotiated negotiated, Octets data) -> {
                assertThat(data).isEqualTo(privateData);
                assertAgreement(negotiated, responder.negotiated(), wish, depths);
                assertThat(negotiated.rdma().peerToPeer()).isEqualTo(peerToPeer);
                yield Outcome.ACCEPTED;
            }
            case MustTerminate(TermCode code, Negotiated _)
            when code.equals(TermCode.MPA_LOCAL_ERROR) -> {
                assertThat(ours.crc()).isEqualTo(CrcPolicy.STRICT_OFF);
                assertThat(theirs.crc()).isEqualTo(CrcPolicy.REQUIRED);
                yield Outcome.CRC_TERMINATE;
            }
            case MustTerminate(TermCode code, Negotiated _) -> {
                // Never for want of IRD: the responder keeps its ORD to what the request allows.
                assertThat(code).isEqualTo(TermCode.MPA_NO_MATCHING_RTR);
                assertThat(offered.and(acceptable).isEmpty()).isTrue();
                yield Outcome.RTR_TERMINATE;
            }
            case Initiator.Verdict other -> throw new AssertionError(other);
        };
    }

    private static void assertSameForm(MpaFrame request, MpaFrame reply) {
        assertThat(reply.revision()).isEqualTo(request.revision());
        assertThat(reply.enhanced().map(Enhanced::peerToPeer))
                .isEqualTo(request.enhanced().map(Enhanced::peerToPeer));
        reply.enhanced()
                .filter(words -> !words.peerToPeer())
                .ifPresent(words -> assertThat(words.rtr()).isEqualTo(RtrSet.NONE));
        reply.enhanced()
                .filter(Enhanced::peerToPeer)
                .ifPresent(words -> assertThat(words.rtr()).isNotEqualTo(RtrSet.NONE));
    }

    private static void assertAgreement(
            Negotiated initiator, Negotiated responder, Wish wish, Optional<ReadDepths> accepted) {
        RdmaParams one = initiator.rdma();
        RdmaParams two = responder.rdma();
        if (initiator.peer().present()) {
            assertThat(two.depths().ord()).isLessThanOrEqualTo(one.depths().ird());
            assertThat(one.depths().ord()).isLessThanOrEqualTo(two.depths().ird());
        }
        assertThat(one.crc()).isEqualTo(two.crc());
        assertThat(one.sendMarkers()).isEqualTo(two.receiveMarkers());
        assertThat(one.receiveMarkers()).isEqualTo(two.sendMarkers());
        assertThat(one.rtr()).isEqualTo(two.rtr());
        assertThat(one.peerToPeer())
                .isEqualTo(two.peerToPeer())
                .isEqualTo(one.rtr().isPresent());
        assertThat(one.initiator()).isTrue();
        assertThat(two.initiator()).isFalse();
        assertThat(initiator.revision()).isEqualTo(responder.revision()).isEqualTo(wish.revision());
        if (one.rtr().equals(Optional.of(Rtr.READ))) {
            assertThat(one.depths().ord()).isPositive();
            assertThat(two.depths().ird()).isPositive();
        }
        assertThat(initiator.told().ord()).isLessThanOrEqualTo(wish.depths().ord());
        accepted.ifPresent(asked -> assertThat(responder.told().ord()).isLessThanOrEqualTo(asked.ord()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aResponderKeepsTheRulesWhateverItIsAsked(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CASES; i++) {
            MpaPolicy policy = anyPolicy(random);
            MpaFrame request = anyFrame(random, Kind.REQUEST);
            if (Responder.judge(request, policy) instanceof Responder.Verdict.Refused(MpaFrame reply, String _)) {
                assertThat(overTheWire(reply).flags().rejected()).isTrue();
                assertThat(reply.revision()).isEqualTo(request.revision());
                continue;
            }
            ReadDepths wish = anyDepths(random);
            Responder.Accepted accepted = Responder.accept(request, policy, Optional.of(wish), Octets.EMPTY);
            assertSameForm(request, overTheWire(accepted.reply()));
            ReadDepths held = accepted.negotiated().rdma().depths();
            assertThat(held.ird()).isLessThanOrEqualTo(policy.depthsMax().ird());
            assertThat(held.ord()).isLessThanOrEqualTo(policy.depthsMax().ord());
            request.enhanced().ifPresent(asked -> {
                Enhanced answer = Mpa.controlWords(accepted.reply());
                assertThat(answer.ird()).isEqualTo(asked.ord() == 0x3fff ? 0x3fff : held.ird());
                assertThat(answer.ord()).isEqualTo(asked.ird() == 0x3fff ? 0x3fff : held.ord());
                // As a number 0x3fff is above every depth, so it bounds nothing.
                assertThat(held.ord()).isLessThanOrEqualTo(asked.ird());
                if (asked.ord() != 0x3fff) {
                    assertThat(held.ird())
                            .isGreaterThanOrEqualTo(
                                    Math.min(asked.ord(), policy.depthsMax().ird()));
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anInitiatorKeepsTheRulesWhateverItIsTold(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int agreed = 0;
        for (int i = 0; i < CASES; i++) {
            MpaPolicy policy = anyPolicy(random);
            Wish wish = new Wish(1 + random.nextInt(2), anyDepths(random), random.nextBoolean(), Octets.EMPTY);
            MpaFrame reply = anyFrame(random, Kind.REPLY);
            Initiator.Verdict verdict = Initiator.judge(wish, policy, reply);
            assertThat(verdict instanceof Rejected).isEqualTo(reply.flags().rejected());
            if (!(verdict instanceof Accepted(Negotiated negotiated, Octets _))) {
                continue;
            }
            ReadDepths held = negotiated.rdma().depths();
            assertThat(held.ird()).isLessThanOrEqualTo(policy.depthsMax().ird());
            assertThat(held.ord()).isLessThanOrEqualTo(policy.depthsMax().ord());
            assertThat(negotiated.rdma().crc())
                    .isEqualTo(
                            policy.crc() == CrcPolicy.REQUIRED || reply.flags().crc());
            if (wish.revision() != 2 || reply.enhanced().isEmpty()) {
                assertThat(negotiated.rdma().peerToPeer()).isFalse();
                continue;
            }
            agreed++;
            Enhanced answer = Mpa.controlWords(reply);
            assertThat(held.ord()).isLessThanOrEqualTo(answer.ird());
            if (answer.ord() != 0x3fff) {
                assertThat(held.ird()).isGreaterThanOrEqualTo(answer.ord());
            }
            assertThat(negotiated.rdma().rtr().isPresent()).isEqualTo(wish.peerToPeer());
            negotiated.rdma().rtr().ifPresent(rtr -> {
                assertThat(answer.peerToPeer()).isTrue();
                assertThat(answer.rtr().and(policy.rtr()).has(rtr)).isTrue();
                assertThat(rtr == Rtr.READ && held.ord() == 0).isFalse();
            });
        }
        assertThat(agreed).isPositive();
    }

    private static MpaFrame overTheWire(MpaFrame frame) {
        MpaFrame arrived = Mpa.whole(MpaCodec.encode(frame), frame.kind());
        assertThat(arrived).isEqualTo(frame);
        return arrived;
    }

    private static MpaPolicy anyPolicy(SplittableRandom random) {
        CrcPolicy crc = CrcPolicy.values()[random.nextInt(3)];
        return new MpaPolicy(
                anyDepths(random),
                crc,
                random.nextBoolean(),
                anyRtr(random),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    }

    private static MpaFrame anyFrame(SplittableRandom random, Kind kind) {
        Flags flags = new Flags(random.nextBoolean(), random.nextBoolean(), random.nextInt(6) == 0);
        if (random.nextInt(4) == 0) {
            return new MpaFrame(kind, flags, random.nextInt(3), Optional.empty(), Octets.EMPTY);
        }
        Enhanced words = new Enhanced(random.nextBoolean(), anyRtr(random), anyField(random), anyField(random));
        return new MpaFrame(kind, flags, 2, Optional.of(words), Octets.EMPTY);
    }

    private static int anyField(SplittableRandom random) {
        return random.nextInt(5) == 0 ? ReadDepths.NOT_NEGOTIATED : anyDepth(random);
    }

    private static ReadDepths anyDepths(SplittableRandom random) {
        return new ReadDepths(anyDepth(random), anyDepth(random));
    }

    private static int anyDepth(SplittableRandom random) {
        return DEPTHS[random.nextInt(DEPTHS.length)];
    }

    private static RtrSet anyRtr(SplittableRandom random) {
        return new RtrSet(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
    }
}
