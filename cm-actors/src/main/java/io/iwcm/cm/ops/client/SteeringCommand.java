package io.iwcm.cm.ops.client;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code iwcm steering}: what the NIC does with frames of which connection. */
@Command(
        name = "steering",
        description = "List the quad hash: whose segments go where.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class SteeringCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Option(names = "--limit", paramLabel = "N", description = "Most entries, 1..1000000. Default: 100.")
    private int limit = 100;

    @Override
    public Integer call() {
        int most = Pages.checked(limit);
        return look.show(node -> Pages.first(most, node, "/steering", List.of(), "entries"), SteeringCommand::text);
    }

    private static String text(Object answer) {
        Table table = Table.of("KIND", "LOCAL", "REMOTE", ">VLAN", ">OWNER", ">EPOCH", ">HALF-OPEN", ">WAITING");
        for (Doc entry : Doc.all(answer)) {
            table.row(
                    entry.text("kind"),
                    entry.endpoint("local"),
                    entry.endpoint("remote"),
                    entry.text("vlan"),
                    entry.text("owner"),
                    entry.text("epoch"),
                    entry.text("halfOpen"),
                    entry.text("waiting"));
        }
        return table.text("entries");
    }
}
