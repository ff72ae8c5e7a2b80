package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people can watch of a connection. */
class ObserverTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final Lab lab = new Lab();

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void reportsFramesStatesAndEventsInOrderOfTime() {
        Diary diary = new Diary();
        Station active = lab.station(diary, "10.0.0.2/24");
        Station passive = lab.station("10.0.0.1/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), ConnectionHandler.NONE));

        within(active.cm().connect(ConnectOptions.to(PEER)));

        Lab.await("the last report", () -> diary.states.contains(StateName.OFFLOADED) && !diary.events.isEmpty());
        assertThat(diary.states)
                .containsSubsequence(StateName.INITED, StateName.SYN_SENT, StateName.MPAREQ_SENT, StateName.OFFLOADED);
        assertThat(diary.gapless).isTrue();
        assertThat(diary.events).hasSize(1).first().isInstanceOf(CmEvent.ConnectReply.class);
        assertThat(diary.sent).hasPositiveValue();
        assertThat(diary.received).hasPositiveValue();
        assertThat(diary.timesNs).isSorted();
    }

    @Test
    void survivesAnObserverThatThrows() {
        Station active = lab.station(new Broken(), "10.0.0.2/24");
        Station passive = lab.station(new Broken(), "10.0.0.1/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), ConnectionHandler.NONE));

        assertThat(within(active.cm().connect(ConnectOptions.to(PEER)))).isInstanceOf(ConnectResult.Connected.class);
    }

    private static final class Diary implements CmObserver {
        private final List<StateName> states = new CopyOnWriteArrayList<>();
        private volatile boolean gapless = true;
        private final List<CmEvent> events = new CopyOnWriteArrayList<>();
        private final List<Long> timesNs = new CopyOnWriteArrayList<>();
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong received = new AtomicLong();

        @Override
        public void began(CmConnection connection, Step first, long nowNs) {
            states.add(first.next().name());
            timesNs.add(nowNs);
        }

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
            gapless &= states.getLast() == from;
            states.add(step.next().name());
            timesNs.add(nowNs);
        }

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {
            events.add(event);
            timesNs.add(nowNs);
        }

        @Override
        public void frameReceived(byte[] frame, long nowNs) {
            received.incrementAndGet();
        }

        @Override
        public void frameSent(byte[] frame, long nowNs) {
            sent.incrementAndGet();
        }
    }

    private static final class Broken implements CmObserver {
        @Override
        public void began(CmConnection connection, Step first, long nowNs) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void frameReceived(byte[] frame, long nowNs) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void frameSent(byte[] frame, long nowNs) {
            throw new IllegalStateException("on purpose");
        }
    }
}
