package io.iwcm.cm.ops;

import static io.iwcm.cm.api.Lab.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** What {@code iwcm serve} runs, in this JVM, on a port that is free. */
final class RunningNode implements AutoCloseable {

    static final String ADDRESS = "10.9.0.2";
    private static final Pattern FIRST_ID = Pattern.compile("\"id\":\"(\\d+\\.\\d+)\"");

    final ServedNode served;
    private final StringWriter printed = new StringWriter();

    private RunningNode(NodeOptions options, NodeOptions.Node node) {
        PrintWriter out = new PrintWriter(printed);
        EventPrinter printer = new EventPrinter(out);
        served = ServedNode.start(options, node, printer, out);
        served.listen(printer);
    }

    /** One address in memory, and a listener that accepts on port 4420. */
    static RunningNode start() {
        return start(Checkout.root().resolve("cm-actors/src/test/resources/io/iwcm/cm/ops/running-node.conf"));
    }

    /** As a file says, which it can read again. */
    static RunningNode start(Path file) {
        NodeOptions options = CommandLine.populateCommand(new NodeOptions(), "--config", file.toString());
        return new RunningNode(options, options.read());
    }

    static RunningNode start(Config user) {
        Config config = ConnectionManager.configuration(
                ConfigFactory.parseString("iwcm.http.port = 0").withFallback(user));
        return new RunningNode(new NodeOptions(), NodeOptions.Node.of(config));
    }

    String url() {
        return served.http().orElseThrow().uri().toString();
    }

    Cli run(String line) {
        return Cli.run((line + " --url " + url()).split(" "));
    }

    /** Begins to connect to a port of this very node. */
    void connect(int port) {
        served.manager().begin(ConnectOptions.to(new Endpoint(IpAddress.parse(ADDRESS), port)), ConnectionHandler.NONE);
    }

    /** The name of the newest connection in that state, once there is one. */
    String inState(String state) {
        String[] found = {""};
        await("a connection is " + state, () -> {
            Matcher id = FIRST_ID.matcher(
                    run("connections --json --role passive --state " + state).out());
            if (id.find()) found[0] = id.group(1);
            return !found[0].isEmpty();
        });
        return found[0];
    }

    @Override
    public void close() {
        served.close();
    }
}
