package io.iwcm.cm.metrics;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Octets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long handshakes take. */
class HandshakeTimesTest {

    private final MetricsScene scene = new MetricsScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void timesEachPhaseOfAHandshakeAtBothEnds() {
        scene.accept();
        scene.connected();
        scene.connected();

        Scrape active = scene.atInitiator();
        assertThat(count(active, "active", "tcp")).isEqualTo(2);
        assertThat(count(active, "active", "mpa")).isEqualTo(2);
        assertThat(count(active, "active", "total")).isEqualTo(2);
        assertThat(count(active, "passive", "tcp")).isZero();
        assertThat(sum(active, "tcp") + sum(active, "mpa"))
                .isPositive()
                .isLessThanOrEqualTo(sum(active, "total") + 1e-9);

        Lab.await("the target stands", () -> count(scene.atTarget(), "passive", "total") == 2);
        Scrape passive = scene.atTarget();
        assertThat(count(passive, "passive", "tcp")).isEqualTo(2);
        assertThat(count(passive, "passive", "mpa")).isEqualTo(2);
        assertThat(count(passive, "passive", "decision")).isEqualTo(2);
        assertThat(scene.atInitiator().of("iwcm_handshake_failures_total").values())
                .containsOnly(0.0);
    }

    @Test
    void timesTheDecisionOfARejectionAndCountsItsCause() {
        within(scene.target
                .cm()
                .listen(ListenOptions.on(MetricsScene.TARGET).rejecting(Octets.EMPTY), ConnectionHandler.NONE));

        within(scene.initiator.cm().connect(ConnectOptions.to(MetricsScene.TARGET)));

        Lab.await("the reply is timed", () -> count(scene.atInitiator(), "active", "mpa") == 1);
        Scrape active = scene.atInitiator();
        assertThat(active.value("iwcm_handshake_failures_total{cause=\"rejected_ulp\",role=\"active\"}"))
                .isOne();
        assertThat(count(active, "active", "tcp")).isOne();
        assertThat(count(active, "active", "total")).isZero();
        Lab.await("the decision is timed", () -> count(scene.atTarget(), "passive", "decision") == 1);
        assertThat(count(scene.atTarget(), "passive", "total")).isZero();
    }

    @Test
    void countsAConnectThatNobodyListensTo() {
        within(scene.initiator.cm().connect(ConnectOptions.to(MetricsScene.TARGET)));

        Scrape active = scene.atInitiator();
        assertThat(active.value("iwcm_handshake_failures_total{cause=\"refused_tcp\",role=\"active\"}"))
                .isOne();
        assertThat(active.value("iwcm_connect_errs_total")).isOne();
        assertThat(count(active, "active", "tcp")).isZero();
    }

    @Test
    void remembersNothingOfHandshakesThatAreOver() {
        CmMetrics metrics = new CmMetrics(CmMetrics.Options.DEFAULT);
        AtomicLong reports = new AtomicLong();
        HandshakeTimes times = (HandshakeTimes) metrics.observing(new Heard(reports));
        Lab.Station third = scene.lab.station(times, "10.0.0.3/24");
        scene.accept();

        within(third.cm().connect(ConnectOptions.to(MetricsScene.TARGET)));
        within(third.cm().connect(ConnectOptions.to(Flows.end("10.0.0.1:9"))));

        Lab.await("both are forgotten", () -> times.remembered() == 0);
        assertThat(reports).as("others hear, too").hasValueGreaterThan(6);
    }

    private static double count(Scrape scrape, String role, String phase) {
        return scrape.value("iwcm_handshake_seconds_count{phase=\"" + phase + "\",role=\"" + role + "\"}");
    }

    private static double sum(Scrape scrape, String phase) {
        return scrape.value("iwcm_handshake_seconds_sum{phase=\"" + phase + "\",role=\"active\"}");
    }

    private record Heard(AtomicLong reports) implements CmObserver {
        @Override
        public void frameReceived(byte[] frame, long nowNs) {}

        @Override
        public void frameSent(byte[] frame, long nowNs) {}

        @Override
        public void began(CmConnection connection, Step first, long nowNs) {
            reports.incrementAndGet();
        }

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
            reports.incrementAndGet();
        }

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {
            reports.incrementAndGet();
        }
    }
}
