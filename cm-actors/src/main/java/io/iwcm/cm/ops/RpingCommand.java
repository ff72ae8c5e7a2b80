package io.iwcm.cm.ops;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.rping.RpingClient;
import io.iwcm.cm.rping.RpingPlan;
import io.iwcm.cm.rping.RpingServer;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code iwcm rping}: either end of rdma-core's rping. */
@Command(
        name = "rping",
        description = "Ping by RDMA Read and Write, with rping of rdma-core or another iwcm at the other end.",
        footer = "Exits with 0 when every ping went well, with 1 otherwise.",
        usageHelpAutoWidth = true)
final class RpingCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions options = new NodeOptions();

    @ArgGroup(exclusive = true, multiplicity = "1")
    private End end = new End();

    /** Which end it is. */
    static final class End {
        @Option(names = "-s", description = "Server: listen, read the client's ping and write it back.")
        private boolean server;

        @Option(names = "-c", description = "Client: connect and ping.")
        private boolean client;
    }

    @Option(
            names = "-a",
            paramLabel = "IP",
            description = "Client: the server's address. Server: the local address; default: every one.")
    private Optional<String> address = Optional.empty();

    @Option(names = "-p", paramLabel = "PORT", description = "TCP port, 1..65535. Default: 7174.")
    private int port = 7174;

    @Option(names = "-I", paramLabel = "IP", description = "Client: local address; default: the route decides.")
    private Optional<String> from = Optional.empty();

    @Option(names = "-C", paramLabel = "N", description = "Client: pings; 0, the default: until stopped.")
    private int count;

    @Option(names = "-S", paramLabel = "OCTETS", description = "Client: size of a ping, 17..65535. Default: 64.")
    private int size = 64;

    @Option(names = "-V", description = "Client: compare what comes back.")
    private boolean validate;

    @Option(names = "-v", description = "Print each ping.")
    private boolean verbose;

    @Option(names = "-d", description = "Print each step.")
    private boolean debug;

    @Option(names = "-P", description = "Server: serve one client after another, and several at a time, until stopped.")
    private boolean persistent;

    @Option(names = "--mpa", paramLabel = "1|2", description = "Client: MPA revision. Default: 2.")
    private int revision = 2;

    @Option(names = "--client-server", description = "Client: do not ask for the peer-to-peer model.")
    private boolean clientServer;

    @Option(
            names = "--pause",
            paramLabel = "MS",
            description = "Client: wait so long before the first ping, 0..60000. Default: 0, and 10 without the"
                    + " peer-to-peer model, where soft-iWARP may not be ready.")
    private int pauseMs = -1;

    /** The usual short name of {@code --version} is rping's "validate". */
    @Option(names = "--help", usageHelp = true, description = "Show this help and exit.")
    void help(boolean asked) {}

    @Override
    public Integer call() throws InterruptedException {
        Checks checks = new Checks(spec);
        checks.within("-p", port, 1, 65_535);
        checks.within("-C", count, 0, Integer.MAX_VALUE);
        checks.within("-S", size, RpingPlan.SIZE_MIN, RpingPlan.SIZE_MAX);
        checks.within("--mpa", revision, 1, 2);
        checks.within("--pause", pauseMs, -1, 60_000);
        if (end.client && address.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "-c needs the server's address: -a IP");
        }
        RpingPlan plan = new RpingPlan(size, count, validate, verbose, debug);
        NodeOptions.Node node = options.read();
        PrintWriter out = spec.commandLine().getOut();
        Consumer<String> say = line -> {
            synchronized (out) {
                out.println(line);
                out.flush();
            }
        };
        try (ConnectionManager manager = options.start(node, "iwcm", out)) {
            return end.server ? server(manager, plan, say) : client(manager, plan, say);
        } finally {
            options.stopped();
        }
    }

    private int client(ConnectionManager manager, RpingPlan plan, Consumer<String> say) throws InterruptedException {
        Endpoint remote = new Endpoint(IpAddress.parse(address.orElseThrow()), port);
        IpAddress local = IpAddress.parse(from.orElse(remote.address().isV4() ? "0.0.0.0" : "::"));
        ConnectOptions asked =
                ConnectOptions.to(remote).from(new Endpoint(local, 0)).depths(1, 1);
        ConnectOptions inForm = revision == 1 ? asked.revision1() : clientServer ? asked.clientServer() : asked;
        int ready = revision == 1 || clientServer ? 10 : 0;
        Duration pause = Duration.ofMillis(pauseMs < 0 ? ready : pauseMs);
        int pings = new RpingClient(manager, plan, pause, say).run(inForm);
        say.accept(pings + " pings of " + size + " octets" + (validate ? ", each came back as it went" : ""));
        return 0;
    }

    private int server(ConnectionManager manager, RpingPlan plan, Consumer<String> say) throws InterruptedException {
        RpingServer server = new RpingServer(manager, plan, say);
        Endpoint local = new Endpoint(IpAddress.parse(address.orElse("::")), port);
        Waiting.on(server.listen(local));
        say.accept("listening on " + local + " by " + manager.nic().link().name());
        RpingServer.Outcome outcome;
        do {
            outcome = server.awaitEnd();
            String ended = outcome.failure().map(why -> ", then: " + why).orElse("");
            say.accept("served " + outcome.pings() + " pings" + ended);
        } while (persistent);
        return outcome.failure().isEmpty() ? 0 : 1;
    }
}
