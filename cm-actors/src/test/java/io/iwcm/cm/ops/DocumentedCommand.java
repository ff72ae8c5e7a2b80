package io.iwcm.cm.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A command that README.md or a page of docs/ tells people to type.
 *
 * @param page where it is
 * @param text without its comment; lines that belong together are one
 */
record DocumentedCommand(String page, String text) {

    /** Every command of every block that is marked as {@code sh}. */
    static List<DocumentedCommand> all() throws IOException {
        List<DocumentedCommand> commands = new ArrayList<>();
        List<Path> pages = new ArrayList<>(List.of(Checkout.root().resolve("README.md")));
        try (Stream<Path> docs = Files.walk(Checkout.root().resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        for (Path page : pages) {
            String name = Checkout.root().relativize(page).toString();
            commandsIn(Files.readString(page)).forEach(text -> commands.add(new DocumentedCommand(name, text)));
        }
        return commands;
    }

    static List<String> commandsIn(String markdown) {
        List<String> commands = new ArrayList<>();
        boolean shell = false;
        String open = "";
        for (String line : markdown.lines().toList()) {
            if (line.startsWith("```")) {
                shell = !shell && line.equals("```sh");
            } else if (shell) {
                String text = open + withoutComment(line, open);
                boolean goesOn = text.endsWith("\\") || quotes(text) % 2 == 1;
                open = !goesOn ? "" : text.endsWith("\\") ? text.substring(0, text.length() - 1) : text + "\n";
                if (!goesOn && !text.isBlank()) commands.add(text.strip());
            }
        }
        return commands;
    }

    /** A comment begins after a blank, and not within quotes. */
    private static String withoutComment(String line, String open) {
        for (int at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
            boolean begins = at == 0 || line.charAt(at - 1) == ' ';
            if (begins && quotes(open + line.substring(0, at)) % 2 == 0)
                return line.substring(0, at).stripTrailing();
        }
        return line.stripTrailing();
    }

    private static long quotes(String text) {
        return text.chars().filter(character -> character == '\'').count();
    }

    /** For a command of one line without quotes. */
    List<String> words() {
        return List.of(text.split(" +"));
    }

    @Override
    public String toString() {
        return page + ": " + text;
    }
}
