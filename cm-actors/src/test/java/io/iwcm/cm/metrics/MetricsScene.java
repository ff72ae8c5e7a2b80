package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.time.Duration;

/** Two connection managers on one wire, both measured. */
final class MetricsScene implements AutoCloseable {

    static final Endpoint TARGET = Flows.end("10.0.0.1:4420");
    static final CmMetrics.Options EVERY_MESSAGE = new CmMetrics.Options(1, 100, Duration.ofSeconds(30), true);

    final Lab lab = new Lab();
    final CmMetrics active;
    final CmMetrics passive;
    final Lab.Station initiator;
    final Lab.Station target;

    MetricsScene(CmMetrics.Options options) {
        active = new CmMetrics(options);
        passive = new CmMetrics(options);
        initiator = lab.station(active.observing(CmObserver.NONE), "10.0.0.2/24");
        target = lab.station(passive.observing(CmObserver.NONE), "10.0.0.1/24");
        active.bind(initiator.cm());
        passive.bind(target.cm());
    }

    MetricsScene() {
        this(EVERY_MESSAGE);
    }

    void accept() {
        Lab.within(
                target.cm().listen(ListenOptions.on(TARGET).accepting(AcceptOptions.DEFAULT), ConnectionHandler.NONE));
    }

    Connection connected() {
        return ((ConnectResult.Connected) Lab.within(initiator.cm().connect(ConnectOptions.to(TARGET)))).connection();
    }

    Scrape atInitiator() {
        return new Scrape(active.scrape());
    }

    Scrape atTarget() {
        return new Scrape(passive.scrape());
    }

    @Override
    public void close() {
        lab.close();
        active.close();
        passive.close();
    }
}
