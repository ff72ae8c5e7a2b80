package io.iwcm.cm.ops.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Orders to connections that a running node has: the answer to a peer's request, and the two ways to end. */
final class AnswerCommands {

    private AnswerCommands() {}

    /** Which connection, and by which node. */
    static final class ToConnection {

        @Mixin
        private Order order = new Order();

        @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
        private String id = "";

        int give(String verb, Map<String, Object> body, String done) {
            String path = ConnectionId.path(id) + "/" + verb;
            return order.give(node -> node.post(path, body), _ -> id + " " + done);
        }

        /** The same for what takes no body. */
        int give(String verb, String done) {
            String path = ConnectionId.path(id) + "/" + verb;
            return order.give(node -> node.post(path), _ -> id + " " + done);
        }
    }

    /** {@code iwcm accept}. */
    @Command(
            name = "accept",
            description = "Accept the request of a peer that came by a listener whose answer is ask.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Accept implements Callable<Integer> {

        @Mixin
        private ToConnection connection = new ToConnection();

        @Option(names = "--ird", paramLabel = "N", description = "Inbound reads; together with --ord.")
        private Optional<Integer> ird = Optional.empty();

        @Option(
                names = "--ord",
                paramLabel = "N",
                description = "Outbound reads. Default of both: what the request allows.")
        private Optional<Integer> ord = Optional.empty();

        @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the reply.")
        private Optional<String> privateData = Optional.empty();

        @Override
        public Integer call() {
            Map<String, Object> body = new LinkedHashMap<>();
            ird.ifPresent(depth -> body.put("ird", depth));
            ord.ifPresent(depth -> body.put("ord", depth));
            privateData.ifPresent(text -> body.put("privateData", Order.base64(text)));
            return connection.give("accept", body, "is accepted");
        }
    }

    /** {@code iwcm reject}. */
    @Command(
            name = "reject",
            description = "Reject the request of a peer that came by a listener whose answer is ask.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Reject implements Callable<Integer> {

        @Mixin
        private ToConnection connection = new ToConnection();

        @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the reply.")
        private Optional<String> privateData = Optional.empty();

        @Override
        public Integer call() {
            Map<String, Object> body = new LinkedHashMap<>();
            privateData.ifPresent(text -> body.put("privateData", Order.base64(text)));
            return connection.give("reject", body, "is rejected");
        }
    }

    /** {@code iwcm disconnect}. */
    @Command(
            name = "disconnect",
            description = "End a connection in order.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Disconnect implements Callable<Integer> {

        @Mixin
        private ToConnection connection = new ToConnection();

        @Override
        public Integer call() {
            return connection.give("disconnect", "is on its way down");
        }
    }

    /** {@code iwcm abort}. */
    @Command(
            name = "abort",
            description = "End a connection now; the peer sees a reset.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Abort implements Callable<Integer> {

        @Mixin
        private ToConnection connection = new ToConnection();

        @Override
        public Integer call() {
            return connection.give("abort", "is ended");
        }
    }
}
