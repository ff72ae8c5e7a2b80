package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners of applications outside the process: they end when nobody renews them, and take along what waits for an answer. */
class ListenerLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ApiNode node = ApiNode.start();
    private final AtomicLong nowNs = new AtomicLong(1);
    private final EventLog events = new EventLog(16);
    private final ListenerBook book = new ListenerBook(node.station.cm(), ConnectionHandler.NONE, events, nowNs::get);

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void endsWhenItsLeaseIsOverAndNotBefore() {
        long id = listen(4420, Optional.of(LEASE));

        pass(LEASE.minusNanos(1));
        assertThat(book.leaseLeft(id).orElseThrow()).isEqualTo(1e-9);
        assertThat(listeners()).containsExactly(id);

        pass(Duration.ofNanos(1));
        await("it has ended", () -> listeners().isEmpty());
        assertThat(book.leaseLeft(id)).isEmpty();
        assertThat(book.renew(id)).isFalse();
        await("it was told", () -> events.read(1, 10).entries().size() == 2);
        assertThat(events.read(1, 10).entries())
                .extracting(EventLog.Entry::what)
                .containsExactly(new EventLog.OfListener(id, true), new EventLog.OfListener(id, false));
        node.station.awaitNothingHeld();
    }

    @Test
    void beginsAgainWithEachRenewal() {
        long id = listen(4420, Optional.of(LEASE));

        for (int i = 0; i < 5; i++) {
            pass(LEASE.minusNanos(1));
            assertThat(book.renew(id)).isTrue();
        }
        assertThat(book.leaseLeft(id).orElseThrow()).isEqualTo(30);
        pass(LEASE.minusNanos(1));
        assertThat(listeners()).containsExactly(id);
        pass(Duration.ofNanos(1));
        await("it has ended", () -> listeners().isEmpty());
    }

    @Test
    void onlyThoseWhoseLeaseIsOverEnd() {
        long first = listen(4420, Optional.of(LEASE));
        pass(Duration.ofSeconds(10));
        long second = listen(4421, Optional.of(LEASE));
        long forEver = listen(4422, Optional.empty());

        pass(Duration.ofSeconds(20));

        await("one has ended", () -> !listeners().contains(first));
        assertThat(listeners()).containsExactlyInAnyOrder(second, forEver);
        assertThat(book.renew(forEver)).isFalse();
        assertThat(book.leaseLeft(forEver)).isEmpty();
    }

    @Test
    void clocksMayPassTheirGreatestNumber() {
        nowNs.set(Long.MAX_VALUE - 5);
        long id = listen(4420, Optional.of(LEASE));

        pass(Duration.ofSeconds(1));
        assertThat(listeners()).containsExactly(id);
        pass(LEASE);
        await("it has ended", () -> listeners().isEmpty());
    }

    @Test
    void aForgottenListenerRefusesWhoWaitsForItsApplication() {
        long id = node.listen(4420, "\"lease\":3600");
        String active = node.connect(4420);
        String waits = node.request();

        assertThat(node.delete("/listeners/" + id).statusCode()).isEqualTo(204); // What the end of a lease does too.

        node.awaitState(waits, StateName.LISTENER_DESTROYED);
        node.awaitState(active, StateName.CLOSED);
        assertThat(node.json("/connections/" + active).get("cause").textValue())
                .isEqualTo("REFUSED_TCP"); // It was reset, tried again without revision 2, and found nobody.
        ApiNode.problem(node.post("/connections/" + waits + "/accept", "{}"), 409, "was not accepted");
        node.awaitState(waits, StateName.CLOSED);
        node.station.awaitNothingHeld();
    }

    @Test
    void anApplicationThatIsGoneLosesItsListenerAndItsRequestButKeepsWhatStands() {
        long id = node.listen(4420, "\"lease\":3600");
        node.connect(4420);
        String stands = node.request();
        assertThat(node.post("/connections/" + stands + "/accept", "{}").statusCode())
                .isEqualTo(200);
        node.awaitState(stands, StateName.OFFLOADED);
        node.pass(Duration.ofMinutes(50));
        assertThat(node.json("/listeners/" + id).get("leaseLeft").doubleValue()).isLessThan(601);
        assertThat(node.put("/listeners/" + id + "/lease").statusCode()).isEqualTo(200);
        node.pass(Duration.ofMinutes(50));
        node.connect(4420);
        String waits = node.request();

        node.pass(Duration.ofMinutes(11));
        await("it has ended", () -> node.json("/listeners").isEmpty());

        node.awaitState(waits, StateName.LISTENER_DESTROYED);
        assertThat(node.json("/connections/" + stands).get("state").textValue()).isEqualTo("OFFLOADED");
        ApiNode.problem(node.put("/listeners/" + id + "/lease"), 404, "there is no listener");
        ApiNode.problem(node.delete("/listeners/" + id), 404, "there is no listener");
        assertThat(node.listen(4420, "")).isNotEqualTo(id); // The endpoint is free again.
    }

    @Test
    void whatHasNoLeaseCannotBeRenewedAndWhatAProgramMadeCannotBeEnded() {
        long accepts = node.listen(4420, "\"answer\":\"accept\"");
        ApiNode.problem(node.put("/listeners/" + accepts + "/lease"), 409, "has no lease");

        long inside = within(node.station.cm().listen(options(4421), ConnectionHandler.NONE))
                .id();
        assertThat(node.json("/listeners/" + inside).get("origin").textValue()).isEqualTo("application");
        ApiNode.problem(node.delete("/listeners/" + inside), 409, "was made inside the process");

        node.server.know(within(node.station.cm().listen(options(4422), ConnectionHandler.NONE)));
        assertThat(node.json("/listeners").findValuesAsText("origin"))
                .containsExactlyInAnyOrder("api", "application", "config");
    }

    private long listen(int port, Optional<Duration> lease) {
        return within(book.listen(options(port), lease));
    }

    private static ListenOptions options(int port) {
        return ListenOptions.on(new Endpoint(IpAddress.parse(ApiNode.ADDRESS), port));
    }

    private void pass(Duration time) {
        nowNs.addAndGet(time.toNanos());
        book.expire();
    }

    private List<Long> listeners() {
        return within(node.station.cm().snapshot()).listeners().stream()
                .map(listener -> listener.id())
                .toList();
    }
}
