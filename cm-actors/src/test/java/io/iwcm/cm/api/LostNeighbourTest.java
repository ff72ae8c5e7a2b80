package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer whose neighbour entry fails between its request and our accept: nothing is sent to a MAC address of zero. */
@Tag("FC-57")
class LostNeighbourTest {

    private static final int FOR_EVER = Integer.MAX_VALUE;
    private static final long STALE_NS = Duration.ofMillis(20).toNanos();

    /** Revision 2, peer-to-peer, IRD 4, ORD 3, either RTR. */
    private static final Octets REQUEST = Octets.wrap("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII))
            .concat(Octets.ofHex("500200048004c003"));

    private final Events events = new Events();
    private Lab lab = new Lab();
    private Station station;
    private Stranger stranger;
    private ListenHandle listener;

    @AfterEach
    void end() {
        assertThat(stranger.framesToNobody()).isZero();
        lab.close();
    }

    @Test
    void failsAnAcceptOnceWhenThePeerIsLostMeanwhile() {
        askedAndLost(Duration.ofMillis(500));
        stranger.drain();

        assertThat(within(asked().accept())).isEqualTo(Cause.NONE);

        assertThat(events.take(CmEvent.AcceptFailed.class).cause()).isEqualTo(Cause.TIMEOUT_MPA);
        within(listener.close());
        station.awaitNothingHeld();
        assertThat(events.all()).hasSize(2);
        assertThat(stranger.drain()).allMatch(frame -> frame.segment().payload().isEmpty());
        assertThat(station.nic().count(NicCounter.TRANSMITS_UNRESOLVED)).isPositive();
    }

    @Test
    void sendsTheReplyWhenThePeerIsFoundAgain() {
        HandmadePeer peer = askedAndLost(Duration.ofSeconds(20));

        assertThat(within(asked().accept())).isEqualTo(Cause.NONE);
        stranger.ignore(0);

        assertThat(new String(peer.hear().slice(0, 16).toBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("MPA ID Rep Frame");
        peer.reset();
        assertThat(events.take(CmEvent.AcceptFailed.class).cause()).isEqualTo(Cause.RESET);
        within(listener.close());
        station.awaitNothingHeld();
        assertThat(events.all()).hasSize(2);
    }

    private Connection asked() {
        Events.Heard heard = events.take();
        assertThat(heard.event()).isInstanceOf(CmEvent.ConnectRequest.class);
        return heard.connection();
    }

    private HandmadePeer askedAndLost(Duration rtrWait) {
        lab.close();
        lab = new Lab(WireOptions.PLAIN, usual -> waitingForTheRtr(usual, rtrWait.toNanos()))
                .nics(LostNeighbourTest::forgetful);
        station = lab.station("10.0.0.1/24");
        stranger = new Stranger(lab.port(), 1);
        listener = within(station.cm().listen(ListenOptions.on(Flows.end("10.0.0.1:5000")), events));
        HandmadePeer peer = HandmadePeer.opens(stranger, Flows.flow("10.0.0.1:5000", "10.0.0.2:33000"));
        peer.say(REQUEST, 0);
        await("the application is asked", () -> events.all().size() == 1);
        stranger.ignore(FOR_EVER);
        await("the peer is lost", () -> {
            peer.repeatItself();
            return station.nic().count(NicCounter.NEIGHBOUR_FAILURES) > 0;
        });
        return peer;
    }

    private static CmParams waitingForTheRtr(CmParams usual, long rtrNs) {
        Deadlines before = usual.deadlines();
        MpaDeadlines mpa = before.mpa();
        return new CmParams(
                usual.tcp(),
                new Deadlines(
                        before.addressNs(),
                        before.synNs(),
                        before.synRcvdNs(),
                        new MpaDeadlines(mpa.requestNs(), mpa.replyNs(), mpa.decisionNs(), mpa.acceptNs(), rtrNs),
                        before.closeNs()),
                usual.mpa(),
                usual.compat(),
                usual.isn());
    }

    /** Doubts every neighbour soon, and gives it up soon. */
    private static RnicConfig forgetful(RnicConfig usual) {
        RnicConfig.Limits limits = usual.limits();
        Neighbours.Limits known = limits.neighbours();
        return new RnicConfig(
                usual.mac(),
                usual.addresses(),
                usual.routes(),
                usual.mtu(),
                usual.behaviour(),
                new RnicConfig.Limits(
                        limits.flowsMax(),
                        limits.listenersMax(),
                        limits.addressesMax(),
                        limits.qpsMax(),
                        limits.timeWaitsMax(),
                        limits.loopbackMax(),
                        limits.transmitMax(),
                        new Neighbours.Limits(
                                known.entriesMax(),
                                known.waitersMax(),
                                known.triesMax(),
                                known.retryNs(),
                                STALE_NS,
                                known.forgetNs())),
                usual.ports(),
                usual.qp());
    }
}
