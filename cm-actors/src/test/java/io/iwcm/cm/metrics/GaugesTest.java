package io.iwcm.cm.metrics;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.nic.testkit.Flows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What there is at the moment. */
class GaugesTest {

    private static final String WAITING = "iwcm_backlog_places{backlog=\"waiting\",listener=\"10.0.0.1:4420\"}";

    @Test
    void tellsConnectionsByState() {
        try (MetricsScene scene = new MetricsScene()) {
            scene.accept();
            Connection connection = scene.connected();
            assertThat(scene.atInitiator().value("iwcm_nodes{state=\"offloaded\"}"))
                    .isOne();

            within(connection.disconnect());
            scene.initiator.awaitNothingHeld();

            Scrape after = scene.atInitiator();
            assertThat(after.of("iwcm_nodes").values()).hasSize(14).containsOnly(0.0);
            assertThat(after.value("iwcm_time_waits")).isOne();
        }
    }

    @Test
    void tellsPlacesInABacklogWhileTheApplicationDecides() {
        try (MetricsScene scene = new MetricsScene()) {
            Events events = new Events();
            within(scene.target.cm().listen(ListenOptions.on(MetricsScene.TARGET), events));
            assertThat(scene.atTarget().value(WAITING)).isZero();

            scene.initiator.cm().connect(ConnectOptions.to(MetricsScene.TARGET));
            Connection asked = events.take().connection();

            Lab.await("the place is taken", () -> scene.atTarget().value(WAITING) == 1.0);
            Scrape during = scene.atTarget();
            assertThat(during.value(WAITING)).isOne();
            assertThat(during.value("iwcm_nic_held{what=\"waiting\"}")).isOne();
            assertThat(during.value("iwcm_nodes{state=\"mpareq_rcvd\"}")).isOne();
            within(asked.accept());
            assertThat(scene.atTarget().value(WAITING)).isZero();
        }
    }

    @Test
    void hasOnlySoManyListenersUnderTheirOwnNames() {
        try (MetricsScene scene = new MetricsScene(new CmMetrics.Options(1, 2, Duration.ofSeconds(30), false))) {
            List<ListenHandle> handles = new ArrayList<>();
            for (int port = 1; port <= 5; port++) {
                handles.add(within(scene.target
                        .cm()
                        .listen(ListenOptions.on(Flows.end("10.0.0.1:" + port)), ConnectionHandler.NONE)));
            }

            Scrape all = scene.atTarget();
            assertThat(all.of("iwcm_backlog_places").keySet())
                    .hasSize(6)
                    .contains("iwcm_backlog_places{backlog=\"waiting\",listener=\"other\"}");
            assertThat(all.value("iwcm_listeners")).isEqualTo(5);

            handles.forEach(handle -> within(handle.close()));
            Lab.await("the listeners are gone", () -> scene.atTarget().value("iwcm_listeners") == 0);
            assertThat(scene.atTarget().of("iwcm_backlog_places")).isEmpty();
        }
    }
}
