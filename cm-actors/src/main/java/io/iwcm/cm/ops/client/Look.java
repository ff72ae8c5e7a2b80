package io.iwcm.cm.ops.client;

import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every command has that shows something of a node, once or again and again. */
final class Look {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private Remote remote = new Remote();

    @Mixin
    private Watching watching = new Watching();

    /** Shows the document at a path below the API. */
    int at(String path, Function<Object, String> forPeople) {
        return show(node -> node.get(path), forPeople);
    }

    int show(Function<NodeClient, Object> fetch, Function<Object, String> forPeople) {
        return remote.show(watching, fetch, forPeople, command.commandLine().getOut());
    }
}
