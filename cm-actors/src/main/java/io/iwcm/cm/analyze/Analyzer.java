package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Reports.Occasion;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads a capture frame by frame and reports each iWARP connection when it is over. Holds what {@link AnalysisLimits} allow,
 * whatever the length of the capture. Not thread safe.
 *
 * <p>An iWARP connection is one with an MPA key in it, on any port. One that failed before could be anything: it is
 * reported when one end has the asked-for port, or when its responder's endpoint shows an MPA frame in another connection;
 * else it is only counted.
 */
public final class Analyzer {

    private static final int NO_PORT = -1;

    private final AnalysisLimits limits;
    private final int port;
    private final Consumer<ConnectionReport> reader;
    private final Budget budget;

    /** The least recently seen first. */
    private final LinkedHashMap<Sighting.Path, Conversation> conversations = new LinkedHashMap<>(64, 0.75f, true);

    /** Conversations that are over and may still see a late segment, the earliest first. */
    private final Deque<Conversation> ended = new ArrayDeque<>();

    private final List<ConnectionReport> suspects = new ArrayList<>();
    private final LinkedHashMap<Endpoint, Boolean> mpaEndpoints = new LinkedHashMap<>();
    private final LinkedHashMap<Attempt, Conversation> attempts = new LinkedHashMap<>();

    private final Map<Skip, Long> skipped = new EnumMap<>(Skip.class);
    private final Map<Integer, Long> linkTypes = new TreeMap<>();
    private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
    private long frames;
    private long segments;
    private long cutFrames;
    private long otherConnections;
    private Stamp now = new Stamp(0, 0);

    /** Who tried to reach whom. */
    private record Attempt(IpAddress initiator, Endpoint responder, String vlan) {}

    private Analyzer(AnalysisLimits limits, int port, Consumer<ConnectionReport> reader) {
        this.limits = limits;
        this.port = port;
        this.reader = reader;
        this.budget = new Budget(limits.octetsMax());
    }

    /** Reports what has an MPA key, or shares an endpoint with such. */
    public static Analyzer of(AnalysisLimits limits, Consumer<ConnectionReport> reader) {
        return new Analyzer(limits, NO_PORT, reader);
    }

    /** Reports every connection with this port at one end, besides. */
    public static Analyzer ofPort(AnalysisLimits limits, int port, Consumer<ConnectionReport> reader) {
        return new Analyzer(limits, port, reader);
    }

    /** The capture's next frame. */
    public void frame(PcapFrame frame) {
        frames++;
        cutFrames += frame.truncated() ? 1 : 0;
        Stamp stamp = new Stamp(frames, frame.epochNs());
        now = stamp;
        switch (FrameDecoder.decode(frame, stamp)) {
            case FrameDecoder.Skipped(Skip why) -> {
                skipped.merge(why, 1L, Long::sum);
                if (why == Skip.LINK_TYPE) {
                    linkTypes.merge(frame.linkType(), 1L, Long::sum);
                }
            }
            case FrameDecoder.Tcp(Sighting sighting) -> segment(sighting);
        }
        reportWhatIsOver();
    }

    /** The capture is over: reports what is open, and sums up. */
    public CaptureSummary finish() {
        List<Conversation> open = new ArrayList<>(ended);
        ended.clear();
        conversations.values().stream().filter(c -> c.ended().isEmpty()).forEach(open::add);
        conversations.clear();
        open.sort(Comparator.comparingLong(c -> c.began().frame()));
        open.forEach(c -> report(c, c.ended().isPresent() ? Occasion.ENDED : Occasion.CAPTURE_OVER));
        otherConnections += suspects.size();
        suspects.clear();
        return new CaptureSummary(frames, segments, skipped, linkTypes, verdicts, otherConnections, cutFrames);
    }

    /** Connections watched now. */
    int watched() {
        return conversations.size() + ended.size();
    }

    /** Octets that wait now. */
    long waitingOctets() {
        return budget.used();
    }

    private void segment(Sighting sighting) {
        segments++;
        Sighting.Path key = key(sighting.path());
        Conversation conversation = conversations.get(key);
        if (conversation != null && conversation.isReopenedBy(sighting)) {
            conversations.remove(key);
            if (conversation.ended().isEmpty()) {
                report(conversation, Occasion.FORGOTTEN);
            }
            conversation = null;
        }
        if (conversation == null) {
            conversation = new Conversation(sighting, limits, budget);
            conversations.put(key, conversation);
            makeRoom();
        }
        boolean wasMpa = conversation.isMpa();
        boolean hadRequest = conversation.initiator().frame().isPresent();
        boolean wasOver = conversation.ended().isPresent();
        conversation.on(sighting);
        if (!wasMpa && conversation.isMpa()) {
            showsMpa(conversation);
        }
        if (!hadRequest && conversation.initiator().frame().isPresent()) {
            showsRequest(conversation);
        }
        if (!wasOver && conversation.ended().isPresent()) {
            ended.addLast(conversation);
        }
    }

    /** One key for both directions. */
    private static Sighting.Path key(Sighting.Path path) {
        int order = Integer.compare(path.source().port(), path.destination().port());
        if (order == 0) {
            order = Arrays.compare(
                    path.source().address().toBytes(),
                    path.destination().address().toBytes());
        }
        return order <= 0 ? path : path.reversed();
    }

    private void makeRoom() {
        if (conversations.size() > limits.connectionsMax()) {
            Conversation eldest = conversations.pollFirstEntry().getValue();
            if (eldest.ended().isPresent()) {
                ended.remove(eldest);
            }
            report(eldest, eldest.ended().isPresent() ? Occasion.ENDED : Occasion.FORGOTTEN);
        }
    }

    private void reportWhatIsOver() {
        long lingerNs = limits.linger().toNanos();
        while (!ended.isEmpty()) {
            Conversation eldest = ended.getFirst();
            boolean due = now.since(eldest.ended().orElse(now)) > lingerNs || ended.size() > limits.connectionsMax();
            if (!due) {
                break;
            }
            ended.removeFirst();
            conversations.remove(key(eldest.path()), eldest);
            report(eldest, Occasion.ENDED);
        }
        long idleNs = limits.idle().toNanos();
        while (!conversations.isEmpty()
                && now.since(conversations.firstEntry().getValue().lastSeen()) > idleNs) {
            Conversation silent = conversations.pollFirstEntry().getValue();
            if (silent.ended().isEmpty()) {
                report(silent, Occasion.FORGOTTEN);
            }
        }
    }

    private void showsMpa(Conversation conversation) {
        Endpoint responder = conversation.responder().endpoint();
        mpaEndpoints.put(responder, true);
        if (mpaEndpoints.size() > limits.endpointsMax()) {
            mpaEndpoints.pollFirstEntry();
        }
        for (var each = suspects.iterator(); each.hasNext(); ) {
            ConnectionReport suspect = each.next();
            if (suspect.responder().endpoint().equals(responder)) {
                each.remove();
                deliver(suspect);
            }
        }
    }

    private void showsRequest(Conversation conversation) {
        Attempt attempt = new Attempt(
                conversation.initiator().endpoint().address(),
                conversation.responder().endpoint(),
                conversation.path().vlan());
        Conversation earlier = attempts.remove(attempt);
        if (earlier != null && isFallBack(earlier, conversation)) {
            earlier.fellBackTo(conversation);
        }
        attempts.put(attempt, conversation);
        if (attempts.size() > limits.suspectsMax()) {
            attempts.pollFirstEntry();
        }
    }

    /** RFC 6581 §10: revision 1 after revision 2 was closed without a reply. */
    private static boolean isFallBack(Conversation earlier, Conversation later) {
        boolean unanswered =
                !earlier.responder().startUp().began() && (earlier.ended().isPresent() || Endings.closes(earlier));
        return unanswered && revision(earlier) == 2 && revision(later) == 1;
    }

    private static int revision(Conversation conversation) {
        return conversation.initiator().frame().map(MpaFrame::revision).orElse(-1);
    }

    private void report(Conversation conversation, Occasion occasion) {
        boolean asked = conversation.path().source().port() == port
                || conversation.path().destination().port() == port;
        boolean known = mpaEndpoints.containsKey(conversation.responder().endpoint());
        boolean failedEarly = !carriedData(conversation);
        if (conversation.mayBeMpa() || asked || (known && failedEarly)) {
            deliver(Reports.of(conversation, occasion, now));
        } else if (failedEarly && suspects.size() < limits.suspectsMax()) {
            suspects.add(Reports.of(conversation, occasion, now));
        } else {
            conversation.finish();
            otherConnections++;
        }
    }

    private static boolean carriedData(Conversation conversation) {
        return conversation.first().inflow().lengthOctets()
                                + conversation.second().inflow().lengthOctets()
                        > 0
                || conversation.opener().isEmpty();
    }

    private void deliver(ConnectionReport report) {
        verdicts.merge(report.verdict(), 1L, Long::sum);
        reader.accept(report);
    }
}
