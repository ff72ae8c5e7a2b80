package io.iwcm.cm.ops.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm listeners}: which there are; more, or fewer. */
@Command(
        name = "listeners",
        description = "List the listeners; 'add' and 'remove' change them while the node runs.",
        subcommands = {ListenersCommand.Add.class, ListenersCommand.Remove.class},
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ListenersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Remote remote = new Remote();

    @Mixin
    private Watching watching = new Watching();

    @Parameters(arity = "0..1", paramLabel = "list", hidden = true, description = "The word that need not be said.")
    private String list = "list";

    @Override
    public Integer call() {
        if (!list.equals("list")) {
            throw new ParameterException(spec.commandLine(), "Unknown command '" + list + "': list, add or remove");
        }
        return remote.show(
                watching,
                node -> node.get("/listeners"),
                ListenersCommand::text,
                spec.commandLine().getOut());
    }

    private static String text(Object answer) {
        Table table =
                Table.of(">ID", "ENDPOINT", "VLAN", "ANSWER", "ORIGIN", ">BACKLOG", ">HALF-OPEN", ">WAITING", ">LEASE");
        for (Doc listener : Doc.all(answer)) {
            List<Doc> children = listener.docs("children");
            table.row(
                    listener.text("id"),
                    listener.endpoint(),
                    listener.has("vlan") ? listener.text("vlan") : "any",
                    listener.text("answer"),
                    listener.text("origin"),
                    listener.text("backlog"),
                    sum(children, "halfOpen"),
                    sum(children, "waiting"),
                    listener.span("leaseLeft"));
        }
        return table.text("listeners");
    }

    private static String sum(List<Doc> children, String key) {
        return String.valueOf(
                children.stream().mapToLong(child -> (long) child.number(key)).sum());
    }

    /** {@code iwcm listeners add}. */
    @Command(
            name = "add",
            description = "Listen on one more endpoint.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Add implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(index = "0", paramLabel = "IP", description = "Own address; 0.0.0.0 and :: are all of them.")
        private String address = "";

        @Parameters(index = "1", paramLabel = "PORT", description = "1..65535.")
        private int port;

        @Option(names = "--vlan", paramLabel = "ID", description = "Only on this VLAN, 0..4094.")
        private Optional<Integer> vlan = Optional.empty();

        @Option(
                names = "--answer",
                paramLabel = "accept|reject|ask",
                description = "What a request is answered; ask: by 'iwcm accept' or 'reject'. Default: accept.")
        private String answer = "accept";

        @Option(names = "--backlog", paramLabel = "N", description = "Most that wait for an answer.")
        private Optional<Integer> backlog = Optional.empty();

        @Option(names = "--lease", paramLabel = "SECONDS", description = "How long, 1..3600. Default: 30 for ask.")
        private Optional<Double> lease = Optional.empty();

        @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the answer.")
        private Optional<String> privateData = Optional.empty();

        @Override
        public Integer call() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("address", address);
            body.put("port", port);
            body.put("answer", answer);
            vlan.ifPresent(id -> body.put("vlan", id));
            backlog.ifPresent(places -> body.put("backlog", places));
            lease.ifPresent(seconds -> body.put("lease", seconds));
            privateData.ifPresent(text ->
                    body.put("privateData", Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
            try (NodeClient node = remote.connect()) {
                remote.print(
                        node.post("/listeners", body),
                        Add::text,
                        spec.commandLine().getOut());
            }
            return 0;
        }

        private static String text(Object listener) {
            Doc made = Doc.of(listener);
            return "listener " + made.text("id") + " on " + made.endpoint();
        }
    }

    /** {@code iwcm listeners remove}. */
    @Command(
            name = "remove",
            description = "Stop listening; connections that have been accepted stay.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Remove implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(paramLabel = "ID", description = "As 'iwcm listeners' prints it.")
        private long id;

        @Override
        public Integer call() {
            try (NodeClient node = remote.connect()) {
                node.delete("/listeners/" + id);
                remote.print(
                        Map.of(),
                        nothing -> "listener " + id + " is gone",
                        spec.commandLine().getOut());
            }
            return 0;
        }
    }
}
