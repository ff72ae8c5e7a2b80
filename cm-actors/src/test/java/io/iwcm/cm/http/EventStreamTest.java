package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events as somebody hears them who comes late, comes back, looks for one connection, or reads slowly. */
@Timeout(120)
class EventStreamTest {

    private static final int KEPT = 64;

    private final ApiNode node = ApiNode.start(ApiNode.with(limits(2)));

    private static HttpSettings.Limits limits(int subscribers) {
        HttpSettings.Limits usual = HttpSettings.Limits.DEFAULT;
        return new HttpSettings.Limits(usual.bodyOctets(), usual.pageMax(), subscribers, KEPT, usual.histories());
    }

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void whoComesWithoutAnIdHearsWhatIsToCome() {
        node.listen(4420, "");
        try (EventReader events = follow("/events", Optional.empty())) {
            long second = node.listen(4421, "");

            EventReader.Event event = events.next().orElseThrow();
            assertThat(event.type()).isEqualTo("LISTENER_UP");
            assertThat(event.data().get("listener").longValue()).isEqualTo(second);
            assertThat(event.number()).isEqualTo(2);
        }
    }

    @Test
    void whoComesBackGoesOnBehindTheEventThatItHeardLast() {
        listenSome(3);
        String second;
        try (EventReader events = follow("/events", Optional.of("0-0"))) {
            events.next();
            second = events.next().orElseThrow().id();
        }
        try (EventReader events = follow("/events", Optional.of(second))) {
            assertThat(events.start).isEqualTo(second);
            assertThat(events.next().orElseThrow().number()).isEqualTo(3);
            listenSome(1);
            assertThat(events.next().orElseThrow().number()).isEqualTo(4);
        }
    }

    @Test
    void whoComesBackTooLateIsToldHowManyWereMissed() {
        listenSome(1);
        String first;
        try (EventReader events = follow("/events", Optional.of("0-0"))) {
            first = events.next().orElseThrow().id();
        }
        for (int i = 0; i < KEPT + 3; i++) node.watch.events().add(new EventLog.OfListener(i, true));

        try (EventReader events = follow("/events", Optional.of(first))) {
            EventReader.Event gap = events.next().orElseThrow();
            assertThat(gap.type()).isEqualTo("gap");
            assertThat(gap.data().get("missed").longValue()).isEqualTo(3);
            assertThat(gap.number()).isEqualTo(4); // Who comes back with it misses nothing more.
            assertThat(events.until(one -> one.number() == KEPT + 4))
                    .hasSize(KEPT)
                    .extracting(EventReader.Event::number)
                    .isSorted();
        }
    }

    @Test
    void anIdOfAnotherStartOfTheNodeBeginsWithAllThatIsKept() {
        listenSome(2);
        for (String id : List.of("otherstart-1", "0-0", "otherstart-999999")) {
            try (EventReader events = follow("/events", Optional.of(id))) {
                assertThat(events.next().orElseThrow().number()).as(id).isEqualTo(1);
            }
            await("nobody listens any more", () -> node.watch.events().waiting() == 0);
        }
        ApiNode.problem(node.send(node.request("/events").header("Last-Event-ID", "7")), 400, "the id of an event");
    }

    @Test
    void theEventsOfEachConnectionComeInOrder() {
        try (EventReader events = follow("/events", Optional.empty())) {
            long listener = node.listen(4420, "\"answer\":\"accept\"");
            List<String> actives = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String active = node.connect(4420);
                node.awaitState(active, StateName.OFFLOADED);
                actives.add(active);
            }
            actives.forEach(id -> node.post("/connections/" + id + "/disconnect"));

            List<Integer> closed = new ArrayList<>();
            List<EventReader.Event> heard = events.until(one -> {
                if (one.type().equals("CLOSE")) closed.add(1);
                return closed.size() == 6;
            });
            assertThat(heard).extracting(EventReader.Event::number).isSorted();
            heard.stream()
                    .filter(one -> one.data().has("connection"))
                    .collect(Collectors.groupingBy(EventReader.Event::connection))
                    .forEach((id, ofOne) -> {
                        List<String> types =
                                ofOne.stream().map(EventReader.Event::type).toList();
                        if (actives.contains(id)) {
                            assertThat(types).startsWith("CONNECT_REPLY").endsWith("CLOSE");
                        } else {
                            assertThat(types)
                                    .startsWith("CONNECT_REQUEST", "ESTABLISHED")
                                    .endsWith("CLOSE");
                            assertThat(ofOne.getFirst().data().get("listener").longValue())
                                    .isEqualTo(listener);
                        }
                        assertThat(types).doesNotHaveDuplicates();
                    });
        }
    }

    @Test
    void whoFollowsOneConnectionOrListenerHearsNothingElse() {
        long asks = node.listen(4420, "");
        long accepts = node.listen(4421, "\"answer\":\"accept\"");
        node.connect(4420);
        String passive = node.request();
        try (EventReader ofOne = follow("/events?connection=" + passive, Optional.of("0-0"));
                EventReader ofListener = follow("/events?listener=" + accepts, Optional.of("0-0"))) {
            ApiNode.json(node.post("/connections?wait=true", ApiNode.to(4421)), 201);
            node.post("/connections/" + passive + "/accept", "{}");
            node.awaitState(passive, StateName.OFFLOADED);
            node.post("/connections/" + passive + "/disconnect");
            node.delete("/listeners/" + accepts);
            node.delete("/listeners/" + asks);

            assertThat(ofOne.until(one -> one.type().equals("CLOSE")))
                    .hasSize(4)
                    .allSatisfy(one -> assertThat(one.connection()).isEqualTo(passive));
            assertThat(ofListener.until(one -> one.type().equals("LISTENER_DOWN")))
                    .hasSizeGreaterThan(1)
                    .allSatisfy(one ->
                            assertThat(one.data().get("listener").longValue()).isEqualTo(accepts));
        }
    }

    @Test
    void thereAreOnlySoManyStreamsAndAPlaceIsFreeAgainWhenOneEnds() {
        try (EventReader one = follow("/events", Optional.empty())) {
            try (EventReader two = follow("/events", Optional.empty())) {
                ApiNode.problem(node.get("/events"), 503, "there are 2 event streams already, which is the limit");
                assertThat(node.json("/node")).isNotEmpty(); // All else goes on.
                assertThat(two.start).isEqualTo(one.start);
            }
            await("one does not wait any more", () -> node.watch.events().waiting() == 1);
            follow("/events", Optional.empty()).close();
        }
        await("nobody waits", () -> node.watch.events().waiting() == 0);
    }

    @Test
    void streamsEndWithTheNode() {
        listenSome(1);
        try (EventReader events = follow("/events", Optional.of("0-0"))) {
            assertThat(events.next()).isPresent();
            within(node.server.stop());
            assertThat(events.hasEnded()).isTrue();
        }
        assertThat(node.watch.events().waiting()).isZero();
    }

    private EventReader follow(String path, Optional<String> after) {
        return EventReader.of(node, path, after);
    }

    private int port = 5000;

    private void listenSome(int count) {
        for (int i = 0; i < count; i++) node.listen(port++, "");
    }
}
