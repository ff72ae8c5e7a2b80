package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.http.HttpSettings;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import picocli.CommandLine.Option;

/** What every command that runs a connection manager is told. */
final class NodeOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The HOCON file with link, addresses and everything else, such as config/tap.conf.")
    private Path file = Path.of("");

    @Option(names = "--timeline", description = "Print frames, states and events as they come.")
    private boolean timeline;

    @Option(names = "--pcap", paramLabel = "FILE", description = "Record every frame both ways here.")
    private Optional<Path> pcap = Optional.empty();

    private Optional<Timeline> shown = Optional.empty();

    /** Where it is written. */
    Path file() {
        return file;
    }

    /** Everything that was read and checked before anything is started. */
    record Node(
            Config config,
            NicSettings nic,
            CmSettings cm,
            Optional<HttpSettings> http,
            Optional<CmMetrics.Options> metrics,
            Optional<CmClusterSettings> cluster) {

        static Node of(Config config) {
            return new Node(
                    config,
                    NicSettings.from(config),
                    CmSettings.from(config),
                    CmHttpSettings.from(config),
                    CmMetricsSettings.from(config),
                    CmClusterSettings.from(config));
        }
    }

    /**
     * Reads and checks the file.
     *
     * @throws ConfigException when it cannot be read or has something in it that is not allowed, in one sentence
     */
    Node read() {
        return Node.of(ConfigFile.read(file, "--config "));
    }

    /** What was started has stopped: nothing more comes on the time line. */
    void stopped() {
        shown.ifPresent(Timeline::flush);
    }

    /** Starts a connection manager as the file says. */
    ConnectionManager start(Node node, String name, PrintWriter out) {
        return start(node, name, out, CmObserver.NONE);
    }

    /** The same, watched by somebody too. */
    ConnectionManager start(Node node, String name, PrintWriter out, CmObserver watch) {
        Logging.start();
        shown = timeline ? Optional.of(new Timeline(out, true)) : Optional.empty();
        CmObserver lines = shown.map(one -> one.watch(name)).orElse(CmObserver.NONE);
        CmObserver observer = timeline ? watch.and(lines) : watch;
        Function<ActorSystem<?>, NicHost> nic =
                system -> NicHost.open(system, node.nic(), link -> Recording.of(link, pcap), lines);
        CmOptions cm = node.cm().options(node.nic().addresses(), observer);
        return node.cluster()
                .map(as -> ConnectionManager.join(name, as.over(node.config(), name), nic, cm, as.roles()))
                .orElseGet(() -> ConnectionManager.start(name, node.config(), nic, cm));
    }
}
