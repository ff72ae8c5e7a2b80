package io.iwcm.cm.ops.client;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code iwcm neighbours}: who is where on the link. */
@Command(
        name = "neighbours",
        description = "List the neighbour table: ARP and neighbour discovery.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class NeighboursCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Remote remote = new Remote();

    @Mixin
    private Watching watching = new Watching();

    @Override
    public Integer call() {
        return remote.show(
                watching,
                node -> node.get("/neighbours"),
                NeighboursCommand::text,
                spec.commandLine().getOut());
    }

    private static String text(Object answer) {
        Table table = Table.of("ADDRESS", ">VLAN", "STATE", "MAC", ">AGE", ">WAITING");
        for (Doc neighbour : Doc.all(answer)) {
            table.row(
                    neighbour.text("address"),
                    neighbour.text("vlan"),
                    neighbour.text("state"),
                    neighbour.text("mac"),
                    neighbour.span("age"),
                    neighbour.text("waiters"));
        }
        return table.text("neighbours");
    }
}
