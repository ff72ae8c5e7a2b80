package io.iwcm.cm.metrics;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.BridgeCounter;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted elsewhere, as metrics. */
class CountedTest {

    private final MetricsScene scene = new MetricsScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void hasEveryCounterUnderItsNameWithItsSentence() {
        Scrape scrape = scene.atTarget();

        for (CmCounter counter : CmCounter.values()) {
            hasCounter(scrape, "iwcm_" + counter.label() + "_total", counter.sentence());
        }
        for (NicCounter counter : NicCounter.values()) {
            hasCounter(scrape, "iwcm_nic_" + counter.id() + "_total", counter.sentence());
        }
        for (BridgeCounter counter : BridgeCounter.values()) {
            hasCounter(scrape, "iwcm_bridge_" + counter.label() + "_total", counter.sentence());
        }
        assertThat(scrape.of("iwcm_nic_drops_total")).hasSize(Drop.values().length - 1);
    }

    private static void hasCounter(Scrape scrape, String name, String sentence) {
        assertThat(scrape.families()).containsEntry(name, new Scrape.Family("counter", sentence));
        assertThat(scrape.of(name)).hasSize(1);
    }

    @Test
    void keepsIrdmasNames() {
        assertThat(scene.atTarget().names())
                .contains(
                        "iwcm_nodes_created_total",
                        "iwcm_nodes_destroyed_total",
                        "iwcm_listen_created_total",
                        "iwcm_listen_destroyed_total",
                        "iwcm_accepts_total",
                        "iwcm_rejects_total",
                        "iwcm_connect_errs_total",
                        "iwcm_pkt_retrans_total",
                        "iwcm_backlog_drops_total",
                        "iwcm_nic_pkt_rcvd_total",
                        "iwcm_nic_pkt_sent_total",
                        "iwcm_nic_rcvd_pkt_err_total",
                        "iwcm_nic_sent_pkt_q_total",
                        "iwcm_nic_buf_alloc_fail_total");
    }

    @Test
    void tellsWhatTheLiveObjectsHaveCounted() {
        scene.accept();
        within(scene.connected().disconnect());
        scene.initiator.awaitNothingHeld();

        Scrape scrape = scene.atInitiator();
        RnicSnapshot nic = scene.initiator.nic();

        for (CmCounter counter : CmCounter.values()) {
            assertThat(scrape.value("iwcm_" + counter.label() + "_total"))
                    .as(counter.label())
                    .isEqualTo(scene.initiator.cm().counters().value(counter));
        }
        for (NicCounter counter : NicCounter.values()) {
            assertThat(scrape.value("iwcm_nic_" + counter.id() + "_total"))
                    .as(counter.id())
                    .isEqualTo(nic.count(counter));
        }
        assertThat(scrape.value("iwcm_nodes_created_total")).isOne();
        assertThat(scrape.value("iwcm_nodes_destroyed_total")).isOne();
        assertThat(scrape.value("iwcm_nic_pkt_rcvd_total")).isPositive();
        String link = scene.initiator.cm().nic().link().name();
        assertThat(scrape.value("iwcm_link_frames_total{direction=\"sent\",link=\"" + link + "\"}"))
                .isPositive();
        assertThat(scrape.value("iwcm_link_frames_total{direction=\"received\",link=\"" + link + "\"}"))
                .isPositive();
    }

    @Test
    void countsNothingTwiceHoweverOftenItIsScraped() {
        scene.accept();
        scene.connected();

        assertThat(scene.atInitiator().value("iwcm_nodes_created_total")).isOne();
        assertThat(scene.atInitiator().value("iwcm_nodes_created_total")).isOne();
    }

    @Test
    void tellsWhatItKnewWhenTheNodeNoLongerAnswers() {
        scene.accept();
        scene.connected();
        double received = scene.atInitiator().value("iwcm_nic_frames_received_total");
        assertThat(received).isPositive();

        scene.initiator.cm().close();

        Scrape after = scene.atInitiator();
        assertThat(after.value("iwcm_nic_frames_received_total")).isEqualTo(received);
        assertThat(after.value("iwcm_nodes_created_total")).isOne();
        assertThat(after.value("iwcm_scrapes_late_total")).isOne();
    }
}
