package io.iwcm.cm.ops;

import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectionManager;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code iwcm warm-up}: does what people do, once and in memory, and ends. The launcher runs it to record which classes that
 * needs, so that the next start has them loaded and linked; what is not done here still works, only slower.
 */
@Command(name = "warm-up", hidden = true, description = "Make the archive that halves the start, now.")
final class WarmUpCommand implements Callable<Integer> {

    private static final String CONFIGURATION = """
        iwcm.nic { link.kind = memory, addresses = [ { address = "10.9.0.2/24" } ] }
        iwcm.cm.listeners = [ { address = "10.9.0.2", port = 4420, answer = accept } ]
        iwcm.http { enabled = true, address = "127.0.0.1", port = 0, token = "", token-file = "" }
        """;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Iwcm.commandLine().getUsageMessage();
        int wrong = run("version") + run("config", "print") + run("demo", "--once", "--quiet");

        NodeOptions.Node node =
                NodeOptions.Node.of(ConnectionManager.configuration(ConfigFactory.parseString(CONFIGURATION)));
        EventPrinter printer = new EventPrinter(out);
        try (ServedNode served = ServedNode.start(new NodeOptions(), node, printer, out)) {
            served.listen(printer);
            String url = served.http().orElseThrow().uri().toString();
            for (String question : new String[] {"status", "listeners", "connections", "counters"}) {
                wrong += run(question, "--url", url);
            }
        }
        return wrong == 0 ? 0 : 1;
    }

    private int run(String... args) {
        return Iwcm.commandLine(args)
                .setOut(spec.commandLine().getOut())
                .setErr(spec.commandLine().getErr())
                .execute(args);
    }
}
