package io.iwcm.cm.ops;

import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.nic.settings.SettingsException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code iwcm serve}: a connection manager with the listeners of its configuration, until it is told to stop. */
@Command(
        name = "serve",
        description = "Run a connection manager with the listeners of its configuration; SIGINT or SIGTERM stops it.",
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
        if (node.cm().listeners().isEmpty()) {
            throw new SettingsException("iwcm.cm.listeners is empty: at least one listener is needed to serve");
        }
        EventPrinter printer = new EventPrinter(spec.commandLine().getOut());
        ConnectionManager manager =
                options.start(node, "iwcm", spec.commandLine().getOut());
        CountDownLatch stopped = StopSignal.stops(manager, printer);
        try {
            for (ListenOrder order : node.cm().listeners()) {
                Waiting.on(manager.listen(ListenOptions.of(order), printer));
                printer.say("listening on " + order.local() + " by "
                        + manager.nic().link().name());
            }
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
        stopped.await();
        return 0;
    }
}
