package io.iwcm.cm.ops;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm listen}: one listener from the command line. */
@Command(
        name = "listen",
        description = "Listen on one port, accept or reject whoever comes, and print what happens.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ListenCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions options = new NodeOptions();

    @Parameters(paramLabel = "PORT", description = "TCP port, 1..65535.")
    private int port;

    @Option(
            names = "--address",
            paramLabel = "IP",
            description = "Local address; default: every address of the NIC, of both families.")
    private String address = "::";

    @Option(names = "--reject", description = "Reject every request.")
    private boolean reject;

    @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the answer.")
    private String privateData = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "End after so many connections have closed, or requests were rejected; 0: run until stopped.")
    private int count;

    @Override
    public Integer call() throws InterruptedException {
        Checks checks = new Checks(spec);
        checks.within("PORT", port, 1, 65_535);
        checks.within("--count", count, 0, Integer.MAX_VALUE);
        Octets data = checks.privateData("--private-data", privateData.getBytes(StandardCharsets.UTF_8), 2);
        Endpoint local = new Endpoint(IpAddress.parse(address), port);
        NodeOptions.Node node = options.read();
        EventPrinter printer = new EventPrinter(spec.commandLine().getOut());
        ConnectionManager manager =
                options.start(node, "iwcm", spec.commandLine().getOut());
        CountDownLatch stopped = StopSignal.stops(manager::close, options, printer);
        CountDownLatch over = count == 0 ? stopped : new CountDownLatch(count);
        try {
            Waiting.on(manager.listen(ListenOptions.on(local), (connection, event) -> {
                printer.onEvent(connection, event);
                switch (event) {
                    case CmEvent.ConnectRequest _
                    when reject -> {
                        connection.reject(data);
                        over.countDown();
                    }
                    case CmEvent.ConnectRequest _ -> connection.accept(AcceptOptions.DEFAULT.privateData(data));
                    case CmEvent.Closed _, CmEvent.AcceptFailed _ -> over.countDown();
                    case CmEvent.ConnectReply _, CmEvent.Established _, CmEvent.Disconnected _ -> {}
                }
            }));
            printer.say("listening on " + local + " by " + manager.nic().link().name());
            over.await();
        } finally {
            manager.close();
        }
        return 0;
    }
}
