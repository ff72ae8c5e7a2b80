package io.iwcm.cm.ops.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code iwcm connections}: which there are, newest first. */
@Command(
        name = "connections",
        description = "List connections, newest first.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ConnectionsCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Option(names = "--limit", paramLabel = "N", description = "Most entries, 1..1000000. Default: 100.")
    private int limit = 100;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Only in one of these states, such as OFFLOADED or SYN_RCVD.")
    private List<String> states = List.of();

    @Option(names = "--role", paramLabel = "active|passive", description = "Only of this role.")
    private Optional<String> role = Optional.empty();

    @Option(names = "--address", paramLabel = "IP[:PORT]", description = "Only with this address at either end.")
    private Optional<String> address = Optional.empty();

    @Option(names = "--port", paramLabel = "PORT", description = "Only with this port at either end.")
    private Optional<Integer> port = Optional.empty();

    @Option(names = "--ended", description = "Also those that ended lately.")
    private boolean ended;

    @Override
    public Integer call() {
        int most = Pages.checked(limit);
        List<String> query = query();
        return look.show(
                node -> Pages.first(most, node, "/connections", query, "connections"), ConnectionsCommand::text);
    }

    private List<String> query() {
        List<String> query = new ArrayList<>();
        states.forEach(state -> query.add("state=" + Pages.encoded(state)));
        role.ifPresent(word -> query.add("role=" + Pages.encoded(word)));
        address.ifPresent(text -> query.add("address=" + Pages.encoded(text)));
        port.ifPresent(number -> query.add("port=" + number));
        if (ended) query.add("ended=true");
        return query;
    }

    private static String text(Object answer) {
        Table table = Table.of("ID", "ROLE", "STATE", "LOCAL", "REMOTE", ">VLAN", ">AGE", "ENDED BY");
        for (Doc connection : Doc.all(answer)) {
            table.row(
                    connection.text("id"),
                    connection.text("role"),
                    connection.text("state"),
                    connection.endpoint("local"),
                    connection.endpoint("remote"),
                    connection.text("vlan"),
                    connection.span("age"),
                    connection.text("cause"));
        }
        return table.text("connections");
    }
}
