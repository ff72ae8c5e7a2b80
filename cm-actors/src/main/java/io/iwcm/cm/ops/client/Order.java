package io.iwcm.cm.ops.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every command has that has something done by a node. */
final class Order {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private Remote remote = new Remote();

    /** Has it done, and prints what the node answers, or in a sentence what has been done. */
    int give(Function<NodeClient, Object> what, Function<Object, String> forPeople) {
        try (NodeClient node = remote.connect()) {
            remote.print(what.apply(node), forPeople, command.commandLine().getOut());
        }
        return 0;
    }

    /** Text as the API takes private data. */
    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
