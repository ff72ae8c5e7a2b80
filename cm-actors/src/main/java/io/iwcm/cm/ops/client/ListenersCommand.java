package io.iwcm.cm.ops.client;

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
        description = "List the listeners; 'add', 'renew' and 'remove' change them while the node runs.",
        subcommands = {ListenersCommand.Add.class, ListenersCommand.Renew.class, ListenersCommand.Remove.class},
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ListenersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Look look = new Look();

    @Parameters(arity = "0..1", paramLabel = "list", hidden = true, description = "The word that need not be said.")
    private String list = "list";

    @Override
    public Integer call() {
        if (!list.equals("list")) {
            throw new ParameterException(
                    spec.commandLine(), "Unknown command '" + list + "': list, add, renew or remove");
        }
        return look.at("/listeners", ListenersCommand::text);
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

        @Mixin
        private Order order = new Order();

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
            privateData.ifPresent(text -> body.put("privateData", Order.base64(text)));
            return order.give(node -> node.post("/listeners", body), Add::text);
        }

        private static String text(Object listener) {
            Doc made = Doc.of(listener);
            return "listener " + made.text("id") + " on " + made.endpoint();
        }
    }

    /** {@code iwcm listeners renew}. */
    @Command(
            name = "renew",
            description = "Begin the lease of a listener again.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Renew implements Callable<Integer> {

        @Mixin
        private Order order = new Order();

        @Parameters(paramLabel = "ID", description = "As 'iwcm listeners' prints it.")
        private long id;

        @Override
        public Integer call() {
            return order.give(
                    node -> node.put("/listeners/" + id + "/lease"),
                    listener -> "listener " + id + " stays for another "
                            + Doc.of(listener).span("leaseLeft"));
        }
    }

    /** {@code iwcm listeners remove}. */
    @Command(
            name = "remove",
            description = "Stop listening; connections that have been accepted stay.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Remove implements Callable<Integer> {

        @Mixin
        private Order order = new Order();

        @Parameters(paramLabel = "ID", description = "As 'iwcm listeners' prints it.")
        private long id;

        @Override
        public Integer call() {
            return order.give(node -> node.delete("/listeners/" + id), _ -> "listener " + id + " is gone");
        }
    }
}
