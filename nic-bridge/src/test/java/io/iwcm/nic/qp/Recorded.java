package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.wire.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes down what a queue pair does. A call after the end, or a second end, fails the test that made it happen. */
final class Recorded implements QpOutput {

    final List<Segment> segments = new ArrayList<>();
    final List<AsyncEvent> events = new ArrayList<>();
    Optional<TimeWaitRow> timeWait = Optional.empty();
    boolean ended;

    @Override
    public void transmit(Segment segment) {
        requireLive();
        segments.add(segment);
    }

    @Override
    public void event(AsyncEvent event) {
        requireLive();
        events.add(event);
    }

    @Override
    public void ended(Optional<TimeWaitRow> row) {
        requireLive();
        ended = true;
        timeWait = row;
    }

    private void requireLive() {
        if (ended) {
            throw new AssertionError("told something after it ended");
        }
    }

    /** The segments since the last call, and forgets them. */
    List<Segment> takeSegments() {
        List<Segment> taken = List.copyOf(segments);
        segments.clear();
        return taken;
    }

    /** The codes of the events since the last call, and forgets them. */
    List<AsyncEvent.Code> takeCodes() {
        List<AsyncEvent.Code> taken = events.stream().map(AsyncEvent::code).toList();
        events.clear();
        return taken;
    }
}
