package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Which node is asked, and how its answer is printed. */
final class Remote {

    private static final String CLEAR = "\033[H\033[2J";

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:IWCM_URL:-http://127.0.0.1:8080}",
            description = "The node. Default: $IWCM_URL, or http://127.0.0.1:8080.")
    private String url = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Its first line is the bearer token. Default: $IWCM_TOKEN, or none.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "The node's certificate, or that of who vouches for it, as PEM. Default: $IWCM_CA_FILE, or those"
                            + " that Java knows.")
    private Optional<Path> certificates = Optional.empty();

    @Option(names = "--json", description = "What the node says, as JSON on one line, for scripts.")
    private boolean json;

    /** Lives as long as what is done with it. */
    NodeClient connect() {
        return new NodeClient(url, token(), certificates().map(Trust::in));
    }

    private Optional<Path> certificates() {
        return certificates.or(
                () -> Optional.ofNullable(System.getenv("IWCM_CA_FILE")).map(Path::of));
    }

    private Optional<String> token() {
        if (tokenFile.isEmpty()) return Optional.ofNullable(System.getenv("IWCM_TOKEN"));
        try (var lines = Files.lines(tokenFile.get())) {
            return lines.findFirst().map(String::strip);
        } catch (IOException e) {
            throw new ClientFailure(Kind.BAD_INPUT, "--token-file " + tokenFile.get() + " cannot be read");
        }
    }

    boolean json() {
        return json;
    }

    /** One answer, as it is or for people. */
    void print(Object answer, Function<Object, String> forPeople, PrintWriter out) {
        out.println(json ? Json.write(answer) : forPeople.apply(answer));
        out.flush();
    }

    /** Fetches and prints, once or again and again. On a terminal each answer takes the place of the one before. */
    int show(
            Watching watching,
            Function<NodeClient, Object> fetch,
            Function<Object, String> forPeople,
            PrintWriter out) {
        Console console = System.console();
        boolean clears = watching.forEver() && console != null && console.isTerminal();
        try (NodeClient node = connect()) {
            do {
                Object answer = fetch.apply(node);
                if (clears) out.print(CLEAR);
                print(answer, forPeople, out);
            } while (watching.again());
        }
        return 0;
    }
}
