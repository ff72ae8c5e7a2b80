package io.iwcm.cm.ops.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code iwcm connection}: one connection and everything that happened to it. */
@Command(
        name = "connection",
        description = "Show one connection with its history of frames, states, decisions and events.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ConnectionCommand implements Callable<Integer> {

    /** As the time line of 'serve --timeline' marks them. */
    private static final Map<String, String> MARKS =
            Map.of("sent", ">", "received", "<", "state", "=", "input", ".", "event", "!");

    @Mixin
    private Look look = new Look();

    @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
    private String id = "";

    @Override
    public Integer call() {
        return look.at(ConnectionId.path(id), ConnectionCommand::text);
    }

    private static String text(Object answer) {
        Doc connection = Doc.of(answer);
        List<String> lines = new ArrayList<>();
        lines.add(connection.text("id") + " " + connection.text("role") + " " + connection.text("state"));
        add(lines, "local", connection.endpoint("local"));
        add(lines, "remote", connection.endpoint("remote"));
        add(lines, "vlan", connection.text("vlan").equals("0") ? "" : connection.text("vlan"));
        add(lines, "listener", connection.text("listener"));
        add(lines, "age", connection.span("age"));
        add(lines, "mpa revision", connection.text("revision"));
        add(lines, "depths", connection.depths("depths"));
        add(lines, "peer said", connection.depths("peerDepths"));
        add(lines, "private data", connection.text("privateData"));
        add(lines, "ended by", connection.text("cause"));
        lines.add("");
        if (connection.number("forgotten") > 0) {
            lines.add("%14s  (%s entries had to make room)".formatted("", connection.text("forgotten")));
        }
        for (Doc entry : connection.docs("history")) {
            lines.add("%11.3f ms  %s %s"
                    .formatted(
                            entry.number("at") * 1000,
                            MARKS.getOrDefault(entry.text("kind"), "?"),
                            entry.text("text")));
        }
        return String.join(System.lineSeparator(), lines);
    }

    private static void add(List<String> lines, String name, String value) {
        if (!value.isEmpty()) lines.add("%-14s%s".formatted(name, value));
    }
}
