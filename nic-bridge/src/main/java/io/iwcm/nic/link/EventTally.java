package io.iwcm.nic.link;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often each of some events has happened to one link; added to from any thread. */
final class EventTally {

    private final List<LinkEvent> possible;
    private final LongAdder[] counts = new LongAdder[LinkEvent.values().length];

    EventTally(LinkEvent... possible) {
        this.possible = List.of(possible);
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    void count(LinkEvent event) {
        count(event, 1);
    }

    void count(LinkEvent event, long times) {
        counts[event.ordinal()].add(times);
    }

    Map<LinkEvent, Long> snapshot() {
        Map<LinkEvent, Long> events = new EnumMap<>(LinkEvent.class);
        possible.forEach(event -> events.put(event, counts[event.ordinal()].sum()));
        return Collections.unmodifiableMap(events);
    }
}
