package io.iwcm.cm.ops;

import io.iwcm.nic.settings.SettingsException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code iwcm serve}: a connection manager with the listeners of its configuration, until it is told to stop. */
@Command(
        name = "serve",
        description = "Run a connection manager with the listeners of its configuration and its HTTP API; SIGINT or"
                + " SIGTERM stops it, SIGHUP reads the configuration again.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions options = new NodeOptions();

    @Override
    public Integer call() throws InterruptedException {
        NodeOptions.Node node = options.read();
        if (node.cm().listeners().isEmpty()
                && node.http().isEmpty()
                && node.cluster().isEmpty()) {
            throw new SettingsException(
                    "iwcm.cm.listeners is empty: at least one listener is needed to serve without" + " iwcm.http");
        }
        EventPrinter printer = new EventPrinter(spec.commandLine().getOut());
        CompletableFuture<ServedNode> listens = new CompletableFuture<>();
        // From the beginning: a signal that comes while the node starts must not end it either, and is obeyed once it
        // listens.
        HangUp.runs(() -> listens.join().hangUp(printer));
        ServedNode served =
                ServedNode.start(options, node, printer, spec.commandLine().getOut());
        CountDownLatch stopped = StopSignal.stops(served::close, options, printer);
        try {
            served.listen(printer);
        } catch (RuntimeException e) {
            served.close();
            throw e;
        }
        listens.complete(served);
        stopped.await();
        return 0;
    }
}
