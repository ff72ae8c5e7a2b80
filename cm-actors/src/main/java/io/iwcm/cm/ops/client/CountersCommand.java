package io.iwcm.cm.ops.client;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code iwcm counters}: everything that is counted. */
@Command(
        name = "counters",
        description = "List everything that is counted, with a sentence each.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class CountersCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Option(names = "--nonzero", description = "Only what has been counted at least once.")
    private boolean nonzero;

    @Override
    public Integer call() {
        return look.show(this::counters, CountersCommand::text);
    }

    private Object counters(NodeClient node) {
        Object all = node.get("/counters");
        if (!nonzero || !(all instanceof List<?> counters)) return all;
        return counters.stream()
                .filter(counter -> Doc.of(counter).number("value") != 0)
                .toList();
    }

    private static String text(Object answer) {
        Table table = Table.of("GROUP", "COUNTER", ">VALUE", "WHAT");
        for (Doc counter : Doc.all(answer)) {
            table.row(counter.text("group"), counter.text("name"), counter.text("value"), counter.text("sentence"));
        }
        return table.text("counters");
    }
}
