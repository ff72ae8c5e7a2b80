package io.iwcm.cm.ops.client;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code iwcm neighbours}: who is where on the link. */
@Command(
        name = "neighbours",
        description = "List the neighbour table: ARP and neighbour discovery.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class NeighboursCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Override
    public Integer call() {
        return look.at("/neighbours", NeighboursCommand::text);
    }

    private static String text(Object answer) {
        Table table = Table.of("ADDRESS", ">VLAN", "STATE", "MAC", ">WAITING");
        for (Doc neighbour : Doc.all(answer)) {
            table.row(
                    neighbour.text("address"),
                    neighbour.text("vlan"),
                    neighbour.text("state"),
                    neighbour.text("mac"),
                    neighbour.text("waiters"));
        }
        return table.text("neighbours");
    }
}
