package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code iwcm reload}: the node reads its file again. */
@Command(
        name = "reload",
        description = {
            "Have the node read its configuration again: listeners and addresses follow it at once.",
            "What else differs is named and needs a restart. A file with a mistake in it changes nothing."
        },
        footer = "Exits with 0 when all was done, with 1 when the node could not do all, with 2 when the file cannot be"
                + " used.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class ReloadCommand implements Callable<Integer> {

    @Mixin
    private Order order = new Order();

    @Override
    public Integer call() {
        List<String> failed = new ArrayList<>();
        order.give(
                node -> {
                    Object answer = node.post("/reload");
                    failed.addAll(texts(answer, "failed"));
                    return answer;
                },
                ReloadCommand::text);
        if (!failed.isEmpty()) throw new ClientFailure(Kind.REFUSED, String.join("; ", failed));
        return 0;
    }

    private static String text(Object answer) {
        List<String> lines = new ArrayList<>(texts(answer, "done"));
        texts(answer, "restart").forEach(key -> lines.add(key + " needs a restart"));
        return lines.isEmpty() ? "nothing differs" : String.join(System.lineSeparator(), lines);
    }

    private static List<String> texts(Object answer, String list) {
        return Doc.of(answer).fields().get(list) instanceof List<?> texts
                ? texts.stream().map(String::valueOf).toList()
                : List.of();
    }
}
