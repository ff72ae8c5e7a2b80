package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code iwcm events}: what applications are told, and what happens to listeners. */
@Command(
        name = "events",
        description = "Print the latest events that the node keeps; --follow prints those to come.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class EventsCommand implements Callable<Integer> {

    /** No node has begun with this id, so that it starts with the oldest event that it keeps. */
    private static final String BEFORE_ALL = "0-0";

    @Spec
    private CommandSpec spec;

    @Mixin
    private Remote remote = new Remote();

    @Option(names = "--follow", description = "Those to come, until it is interrupted or the node is gone.")
    private boolean follow;

    @Option(names = "--connection", paramLabel = "ID", description = "Only of this connection.")
    private Optional<String> connection = Optional.empty();

    @Option(names = "--listener", paramLabel = "ID", description = "Only of this listener.")
    private Optional<Long> listener = Optional.empty();

    @Override
    public Integer call() {
        String path = path();
        try (NodeClient node = remote.connect()) {
            if (follow) {
                print(node, path, Optional.empty(), Long.MAX_VALUE);
                throw new ClientFailure(Kind.UNREACHABLE, "the node has ended the stream of events");
            }
            long latest = latest(node, path);
            if (latest > 0) print(node, path, Optional.of(BEFORE_ALL), latest);
        } catch (UncheckedIOException e) {
            throw new ClientFailure(Kind.UNREACHABLE, "the node has broken off the stream of events");
        }
        return 0;
    }

    private String path() {
        List<String> query = new ArrayList<>();
        connection.ifPresent(id -> {
            ConnectionId.path(id);
            query.add("connection=" + id);
        });
        listener.ifPresent(id -> query.add("listener=" + id));
        return "/events" + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    /** The number of the latest event, with which every stream begins. */
    private static long latest(NodeClient node, String path) {
        try (Stream<String> lines = node.events(path, Optional.empty())) {
            return lines.filter(line -> line.startsWith("id:"))
                    .findFirst()
                    .map(EventsCommand::number)
                    .orElse(0L);
        }
    }

    private void print(NodeClient node, String path, Optional<String> after, long latest) {
        PrintWriter out = spec.commandLine().getOut();
        try (Stream<String> lines = node.events(path, after)) {
            Iterator<String> each = lines.iterator();
            long number = 0;
            while (each.hasNext()) {
                String line = each.next();
                if (line.startsWith("id:")) number = number(line);
                if (line.startsWith("data:") && number <= latest) {
                    String data = line.substring("data:".length()).strip();
                    out.println(remote.json() ? data : text(data));
                    out.flush();
                }
                if (line.isEmpty() && number >= latest) return;
            }
        }
    }

    /** Ids are a word for the start of the node, a dash, and the number of the event. */
    private static long number(String line) {
        String digits = line.substring(line.lastIndexOf('-') + 1).strip();
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }

    private static String text(String data) {
        Doc event;
        try {
            event = Doc.of(Json.read(data));
        } catch (IOException e) {
            throw new ClientFailure(Kind.REFUSED, "the node sends events that are not JSON");
        }
        if (event.text("type").equals("gap")) return "(" + event.text("missed") + " events are no longer kept)";
        Doc whose = event.doc("connection");
        List<String> words = new ArrayList<>();
        words.add("%-27s %-15s".formatted(event.text("at"), event.text("type")));
        if (event.has("connection")) {
            words.add(whose.text("id") + " " + whose.endpoint("local") + " " + whose.endpoint("remote"));
        } else {
            words.add("listener " + event.text("listener"));
        }
        words.add(event.text("cause"));
        words.add(event.depths("depths"));
        if (event.has("peerDepths")) words.add("(peer said " + event.depths("peerDepths") + ")");
        return words.stream().filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
    }
}
