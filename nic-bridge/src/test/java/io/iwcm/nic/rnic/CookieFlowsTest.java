package io.iwcm.nic.rnic;

import static io.iwcm.nic.rnic.CookieScene.FLOW;
import static io.iwcm.nic.rnic.CookieScene.ISN;
import static io.iwcm.nic.rnic.CookieScene.USUAL;
import static io.iwcm.nic.rnic.CookieScene.ack;
import static io.iwcm.nic.rnic.CookieScene.answer;
import static io.iwcm.nic.rnic.CookieScene.cookieFor;
import static io.iwcm.nic.rnic.CookieScene.peer;
import static io.iwcm.nic.rnic.CookieScene.rig;
import static io.iwcm.nic.rnic.CookieScene.sent;
import static io.iwcm.nic.rnic.CookieScene.syn;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.EnterTimeWait;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.MoveInBacklog;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flows that a cookie has opened: when SYNs get one, and what places, TIME_WAIT and owners have to do with it. */
class CookieFlowsTest {

    private final RnicRig rig = rig(CookieMode.ALWAYS, 1_000);

    @ParameterizedTest
    @CsvSource({"OFF, false, false", "WHEN_FULL, false, true", "ALWAYS, true, true"})
    void theModeDecides(CookieMode mode, boolean withRoom, boolean whenFull) {
        RnicRig rig = rig(mode, 1_000);
        rig.listen("10.0.0.1:5000", 0, 1, 8);
        rig.receive(FLOW, syn(ISN, USUAL));
        assertThat(rig.count(NicCounter.COOKIES_SENT)).isEqualTo(withRoom ? 1 : 0);
        assertThat(rig.takeIlq()).hasSize(withRoom ? 0 : 1);
        rig.install(A, peer(1));
        rig.receive(FLOW, syn(ISN, USUAL));
        assertThat(rig.count(NicCounter.COOKIES_SENT)).isEqualTo((withRoom ? 1 : 0) + (whenFull ? 1 : 0));
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(whenFull ? 0 : 1);
    }

    /** FC-36: it takes no half-open place, of which there is none; what is full is dropped and never reset. */
    @Test
    @Tag("FC-36")
    void theBacklogDecidesWhenTheCookieComesBack() {
        RnicRig rig = rig(CookieMode.WHEN_FULL, 1_000);
        rig.listen("10.0.0.1:5000", 0, 1, 2);
        long halfOpen = rig.install(A, peer(1));
        SeqNum second = cookieFor(rig, peer(2));
        SeqNum third = cookieFor(rig, peer(3));
        rig.receive(peer(2), ack(ISN, second));
        assertThat(rig.take()).hasSize(1);
        assertThat(rig.held().halfOpen()).isEqualTo(1);
        assertThat(rig.held().waiting()).isEqualTo(1);

        rig.receive(peer(3), ack(ISN, third));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.BACKLOG_FULL)).isEqualTo(1);
        rig.receive(peer(4), syn(ISN, USUAL)); // No place at all: not even a cookie.
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.BACKLOG_FULL)).isEqualTo(2);

        rig.request(A, peer(1), halfOpen, 3, new DeleteQuadHash(), new FreeAh());
        rig.receive(peer(3), answer(Segment.ACK | Segment.PSH, ISN, third, "again"));
        assertThat(rig.takeIlq().getLast().completed()).isPresent();
    }

    @Test
    void aCompletedFlowIsEnteredAlthoughNoHalfOpenPlaceIsFreeAndGivesItsPlaceBack() {
        RnicRig rig = rig(CookieMode.WHEN_FULL, 1_000);
        rig.listen("10.0.0.1:5000", 0, 1, 2);
        rig.install(A, peer(1));
        RnicSnapshot.Held before = rig.held();
        rig.receive(FLOW, ack(ISN, cookieFor(rig, FLOW)));
        long epoch = rig.install(A, FLOW);
        assertThat(rig.take()).contains("event 1 " + FLOW + " epoch " + epoch + " installed");
        rig.request(A, FLOW, epoch, 3, new MoveInBacklog(BacklogPlace.WAITING));
        assertThat(rig.held().waiting()).isEqualTo(1);
        rig.request(A, FLOW, epoch, 4, new DeleteQuadHash(), new FreeAh());
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void untilItIsEnteredItsSegmentsAreItsOwners() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        rig.order(new NicControl.Attach(0, B));
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.receive(FLOW, ack(ISN, cookie));
        String owner = rig.take().getFirst().substring(0, 5);
        // The first one again, for the first delivery may have been lost; one behind a lost one; a reset.
        rig.receive(FLOW, answer(Segment.ACK, ISN, cookie, "request"));
        rig.receive(FLOW, segment("A", 1008, cookie.plus(1).value(), "more"));
        rig.receive(FLOW, segment("R", 1001, 0, ""));
        assertThat(rig.take())
                .containsExactly(
                        owner + " " + FLOW + " A 1001 ack " + cookie.plus(1) + " +7 listener completed",
                        owner + " " + FLOW + " A 1008 ack " + cookie.plus(1) + " +4",
                        owner + " " + FLOW + " R 1001");
        assertThat(rig.count(NicCounter.COOKIES_ACCEPTED)).isEqualTo(1);
        assertThat(rig.count(NicCounter.COOKIES_BAD)).isZero();
    }

    @Test
    void aPlaceThatNobodyUsesIsGivenBack() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        RnicSnapshot.Held before = rig.held();
        rig.receive(FLOW, ack(ISN, cookieFor(rig, FLOW)));
        assertThat(rig.held().flows()).isEqualTo(1);
        rig.pass(61 * SECOND);
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.FLOWS_EXPIRED)).isEqualTo(1);
    }

    @Test
    void aConnectionThatCannotReachItsPeerGivesItsPlaceBack() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        RnicSnapshot.Held before = rig.held();
        rig.receive(FLOW, ack(ISN, cookieFor(rig, FLOW)));
        rig.request(A, FLOW, 0, 1, new CreateAh(Path.DEFAULT));
        rig.pass(10 * SECOND);
        assertThat(rig.take().getLast()).contains("handle failed");
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void whoeverElseWantsTheFlowIsTooLate() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.receive(FLOW, ack(ISN, cookie));
        rig.order(new NicControl.Attach(0, B));
        rig.take();
        rig.request(B, FLOW, 0, 1, new AddQuadHash(Optional.of(ListenKey.of(FLOW))));
        assertThat(rig.take()).containsExactly("event 2 " + FLOW + " epoch 0 steering failed QUAD_TAKEN");
    }

    @Test
    void theCookieIsBeyondWhatAConnectionInTimeWaitUsedAndEndsIt() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        for (long sndNxt : new long[] {7_000, 0x7000_0000L, 0xb000_0000L}) {
            lingering(sndNxt);
            rig.receive(FLOW, syn(seq(9001), USUAL));
            SeqNum cookie = sent(rig).getFirst().segment().seq();
            assertThat(cookie.after(seq(sndNxt))).isTrue();
            assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
            rig.receive(FLOW, ack(seq(9001), cookie));
            assertThat(rig.takeIlq().getLast().completed()).isPresent();
            assertThat(rig.rnic().snapshot().timeWaits()).isZero();
        }
    }

    /** Both would do without the row: an old duplicate of the handshake must not open what has just been closed. */
    @Test
    void aCookieOfBeforeTimeWaitDoesNotEndIt() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum old = cookieFor(rig, FLOW);
        lingering(old.plus(500).value());
        rig.takeIlq();
        rig.receive(FLOW, ack(ISN, old));
        assertThat(rig.takeIlq()).isEmpty();
        assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
        assertThat(rig.count(NicCounter.COOKIES_BAD)).isZero();
    }

    /** A connection of the flow has been, whose numbers were these at its end. */
    private void lingering(long sndNxt) {
        rig.rnic().epochOf(FLOW).ifPresent(epoch -> rig.request(A, FLOW, epoch, 9, new DeleteQuadHash(), new FreeAh()));
        if (rig.held().flows() > 0) {
            rig.request(A, FLOW, 0, 8, new FreeAh());
        }
        long epoch = rig.install(A, FLOW);
        rig.request(A, FLOW, epoch, 3, new EnterTimeWait(new TimeWaitRow(seq(sndNxt), seq(9000), 100)), new FreeAh());
        rig.take();
        sent(rig);
    }

    @Test
    void soManyPerSecondAndNoMore() {
        RnicRig rig = rig(CookieMode.WHEN_FULL, 3);
        rig.listen("10.0.0.1:5000", 0, 1, 8);
        rig.install(A, peer(1));
        rig.take();
        for (int i = 0; i < 10; i++) {
            rig.receive(peer(100 + i), syn(ISN, USUAL));
        }
        assertThat(sent(rig)).hasSize(3);
        assertThat(rig.count(NicCounter.COOKIES_LIMITED)).isEqualTo(7);
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(7);
        rig.pass(SECOND);
        rig.receive(peer(200), syn(ISN, USUAL));
        assertThat(sent(rig)).hasSize(1);
    }

    /** A connection that prepares by an ordinary SYN is not disturbed by cookies for others. */
    @Test
    void aFlowThatIsBeingPreparedGetsNoCookie() {
        RnicRig rig = rig(CookieMode.WHEN_FULL, 1_000);
        rig.listen("10.0.0.1:5000", 0, 1, 8);
        rig.request(A, FLOW, 0, 1, new CreateAh(Path.DEFAULT));
        rig.install(A, peer(1));
        rig.take();
        rig.receive(FLOW, syn(ISN, USUAL));
        assertThat(rig.count(NicCounter.COOKIES_SENT)).isZero();
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(1);
    }
}
