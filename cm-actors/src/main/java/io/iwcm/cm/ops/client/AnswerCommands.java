package io.iwcm.cm.ops.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Orders to connections that a running node has: the answer to a peer's request, and the two ways to end. */
final class AnswerCommands {

    private AnswerCommands() {}

    private static int order(Remote remote, String path, Map<String, Object> body, String done, CommandSpec spec) {
        try (NodeClient node = remote.connect()) {
            Object answer = node.post(path, body);
            remote.print(answer, connection -> done, spec.commandLine().getOut());
        }
        return 0;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code iwcm accept}. */
    @Command(
            name = "accept",
            description = "Accept the request of a peer that came by a listener whose answer is ask.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Accept implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
        private String id = "";

        @Option(names = "--ird", paramLabel = "N", description = "Inbound reads. Default: what the request allows.")
        private Optional<Integer> ird = Optional.empty();

        @Option(names = "--ord", paramLabel = "N", description = "Outbound reads. Default: what the request allows.")
        private Optional<Integer> ord = Optional.empty();

        @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the reply.")
        private Optional<String> privateData = Optional.empty();

        @Override
        public Integer call() {
            Map<String, Object> body = new LinkedHashMap<>();
            ird.ifPresent(depth -> body.put("ird", depth));
            ord.ifPresent(depth -> body.put("ord", depth));
            privateData.ifPresent(text -> body.put("privateData", base64(text)));
            return order(remote, ConnectionId.path(id) + "/accept", body, id + " is accepted", spec);
        }
    }

    /** {@code iwcm reject}. */
    @Command(
            name = "reject",
            description = "Reject the request of a peer that came by a listener whose answer is ask.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Reject implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
        private String id = "";

        @Option(names = "--private-data", paramLabel = "TEXT", description = "Goes with the reply.")
        private Optional<String> privateData = Optional.empty();

        @Override
        public Integer call() {
            Map<String, Object> body = new LinkedHashMap<>();
            privateData.ifPresent(text -> body.put("privateData", base64(text)));
            return order(remote, ConnectionId.path(id) + "/reject", body, id + " is rejected", spec);
        }
    }

    /** {@code iwcm disconnect}. */
    @Command(
            name = "disconnect",
            description = "End a connection in order.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Disconnect implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
        private String id = "";

        @Override
        public Integer call() {
            return order(remote, ConnectionId.path(id) + "/disconnect", Map.of(), id + " is on its way down", spec);
        }
    }

    /** {@code iwcm abort}. */
    @Command(
            name = "abort",
            description = "End a connection now; the peer sees a reset.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Abort implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private Remote remote = new Remote();

        @Parameters(paramLabel = "ID", description = "As 'iwcm connections' prints it, such as 3.17.")
        private String id = "";

        @Override
        public Integer call() {
            return order(remote, ConnectionId.path(id) + "/abort", Map.of(), id + " is ended", spec);
        }
    }
}
