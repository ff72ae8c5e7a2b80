package io.iwcm.cm.ops;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.trace.EventText;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm connect}: one connection, held for a while and closed. */
@Command(
        name = "connect",
        description = "Connect once, print what happens, hold the connection and close it.",
        footer = "Exits with 0 when the connection stood and closed, with 1 when it did not come about.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ConnectCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions options = new NodeOptions();

    @Parameters(index = "0", paramLabel = "IP", description = "The peer's address.")
    private String address = "";

    @Parameters(index = "1", paramLabel = "PORT", description = "Its TCP port, 1..65535.")
    private int port;

    @Option(names = "--from", paramLabel = "IP", description = "Local address; default: the route decides.")
    private Optional<String> from = Optional.empty();

    @Option(names = "--local-port", paramLabel = "PORT", description = "Local port; default: one is chosen.")
    private int localPort;

    @Option(names = "--vlan", paramLabel = "ID", description = "VLAN of the local address, 0..4094; 0: none.")
    private int vlan;

    @Option(names = "--mpa", paramLabel = "1|2", description = "MPA revision. Default: 2.")
    private int revision = 2;

    @Option(names = "--no-fall-back", description = "Do not try revision 1 when the peer closes on revision 2.")
    private boolean noFallBack;

    @Option(names = "--client-server", description = "Do not ask for the peer-to-peer model: no RTR.")
    private boolean clientServer;

    @Option(names = "--ird", paramLabel = "N", description = "Inbound reads offered, 0..16382. Default: all there are.")
    private int ird = ReadDepths.MAX;

    @Option(names = "--ord", paramLabel = "N", description = "Outbound reads asked for. Default: all there are.")
    private int ord = ReadDepths.MAX;

    @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the request.")
    private String privateData = "";

    @Option(names = "--hold", paramLabel = "S", description = "Seconds before closing, 0..86400. Default: 0.")
    private int holdSeconds;

    @Override
    public Integer call() throws InterruptedException {
        ConnectOptions order = order();
        NodeOptions.Node node = options.read();
        EventPrinter printer = new EventPrinter(spec.commandLine().getOut());
        CountDownLatch closed = new CountDownLatch(1);
        try (ConnectionManager manager =
                options.start(node, "iwcm", spec.commandLine().getOut())) {
            ConnectResult result = Waiting.on(manager.connect(order, (connection, event) -> {
                printer.onEvent(connection, event);
                if (event instanceof CmEvent.Closed) closed.countDown();
            }));
            return switch (result) {
                case ConnectResult.Connected(Connection connection, var _) -> {
                    if (!closed.await(holdSeconds, TimeUnit.SECONDS)) {
                        connection.disconnect();
                        closed.await();
                    }
                    yield 0;
                }
                case ConnectResult.Failed(var cause, var _) -> {
                    spec.commandLine()
                            .getErr()
                            .println("iwcm: no connection to " + address + " port " + port + ": "
                                    + EventText.words(cause) + ".");
                    yield 1;
                }
            };
        } finally {
            options.stopped();
        }
    }

    private ConnectOptions order() {
        Checks checks = new Checks(spec);
        checks.within("PORT", port, 1, 65_535);
        checks.within("--local-port", localPort, 0, 65_535);
        checks.within("--vlan", vlan, 0, 4094);
        checks.within("--mpa", revision, 1, 2);
        checks.within("--ird", ird, 0, ReadDepths.MAX);
        checks.within("--ord", ord, 0, ReadDepths.MAX);
        checks.within("--hold", holdSeconds, 0, 86_400);
        Endpoint remote = new Endpoint(IpAddress.parse(address), port);
        IpAddress local = IpAddress.parse(from.orElse(remote.address().isV4() ? "0.0.0.0" : "::"));
        ConnectOptions asked = ConnectOptions.to(remote)
                .from(new Endpoint(local, localPort))
                .vlan(vlan)
                .depths(new ReadDepths(ird, ord))
                .fallBack(!noFallBack);
        ConnectOptions inForm = revision == 1 ? asked.revision1() : clientServer ? asked.clientServer() : asked;
        return inForm.privateData(
                checks.privateData("--private-data", privateData.getBytes(StandardCharsets.UTF_8), revision));
    }
}
