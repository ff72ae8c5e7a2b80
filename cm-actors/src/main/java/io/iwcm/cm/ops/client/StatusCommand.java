package io.iwcm.cm.ops.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code iwcm status}: is it there, is it ready, what has it. */
@Command(
        name = "status",
        description = "Say what runs there, since when, and what it has.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class StatusCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Override
    public Integer call() {
        return look.at("/node", StatusCommand::text);
    }

    private static String text(Object answer) {
        Doc node = Doc.of(answer);
        List<String> lines = new ArrayList<>();
        lines.add(node.text("name") + " " + node.text("version")
                + (node.text("ready").equals("true") ? " is ready" : " is not ready") + ", up " + node.span("uptime")
                + " since " + node.text("started"));
        if (node.has("listeners")) lines.add("listeners    " + node.text("listeners"));
        Doc connections = node.doc("connections");
        String states = connections.fields().keySet().stream()
                .map(String::valueOf)
                .sorted()
                .filter(state -> connections.number(state) > 0)
                .map(state -> connections.text(state) + " " + state)
                .collect(Collectors.joining(", "));
        lines.add("connections  " + (states.isEmpty() ? "none" : states));
        return String.join(System.lineSeparator(), lines);
    }
}
