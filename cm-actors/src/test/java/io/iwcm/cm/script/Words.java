package io.iwcm.cm.script;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words of one script line, read from left to right; every complaint names the column. */
final class Words {

    /**
     * A word.
     *
     * @param column where it starts in its line, from 1
     * @param quoted it stood in quotes, which are not in the text
     */
    record Word(String text, int column, boolean quoted) {}

    private final int line;
    private final String lineText;
    private final List<Word> words;
    private int at;

    private Words(int line, String lineText, List<Word> words) {
        this.line = line;
        this.lineText = lineText;
        this.words = words;
    }

    /** Splits at white space; a quoted text is one word; {@code #} begins a comment; {@code $NAME} stands for its words. */
    static Words of(int line, String text, Map<String, List<Word>> definitions) {
        List<Word> words = new ArrayList<>();
        int i = 0;
        while (i < text.length() && text.charAt(i) != '#') {
            int start = i;
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '"') {
                int close = text.indexOf('"', i + 1);
                if (close < 0) {
                    throw new ScriptSyntaxError(line, start + 1, text, "the quoted text does not end");
                }
                words.add(new Word(text.substring(i + 1, close), start + 1, true));
                i = close + 1;
            } else {
                while (i < text.length() && !Character.isWhitespace(text.charAt(i)) && text.charAt(i) != '#') {
                    i++;
                }
                expand(line, text, new Word(text.substring(start, i), start + 1, false), definitions, words);
            }
        }
        return new Words(line, text, words);
    }

    private static void expand(
            int line, String text, Word word, Map<String, List<Word>> definitions, List<Word> words) {
        if (!word.text.startsWith("$")) {
            words.add(word);
            return;
        }
        List<Word> meaning = definitions.get(word.text.substring(1));
        if (meaning == null) {
            throw new ScriptSyntaxError(
                    line, word.column, text, word.text + " is not defined; allowed: " + definitions.keySet());
        }
        for (Word part : meaning) {
            words.add(new Word(part.text, word.column, part.quoted));
        }
    }

    boolean ended() {
        return at == words.size();
    }

    List<Word> rest() {
        return List.copyOf(words.subList(at, words.size()));
    }

    /** The next word without taking it; empty text at the end. */
    String peek() {
        return ended() || words.get(at).quoted ? "" : words.get(at).text;
    }

    boolean nextIsQuoted() {
        return !ended() && words.get(at).quoted;
    }

    /** Takes the next word if it is {@code word}. */
    boolean take(String word) {
        if (peek().equals(word)) {
            at++;
            return true;
        }
        return false;
    }

    String next(String allowed) {
        if (ended()) {
            throw error(allowed);
        }
        return words.get(at++).text;
    }

    int number(String what, int least, int most) {
        String text = peek();
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                at++;
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the complaint.
        }
        throw error(what + ", " + least + ".." + most);
    }

    /** A time span in nanoseconds: a number and us, ms, s, m or h; without a unit it is milliseconds. */
    long durationNs(String what) {
        long ns = Durations.parse(peek());
        if (ns < 0) {
            throw error(what + ", for example 50, 50ms, 3s, 10m");
        }
        at++;
        return ns;
    }

    boolean onOff() {
        if (take("on")) {
            return true;
        }
        if (take("off")) {
            return false;
        }
        throw error("on, off");
    }

    <T> T oneOf(Map<String, T> choices) {
        T choice = choices.get(peek());
        if (choice == null) {
            throw error(String.join(", ", choices.keySet()));
        }
        at++;
        return choice;
    }

    <T> T oneOf(T[] values, Function<T, String> name) {
        return oneOf(Arrays.stream(values)
                .collect(Collectors.toMap(name, value -> value, (a, b) -> a, java.util.LinkedHashMap::new)));
    }

    void end() {
        if (!ended()) {
            throw error("the end of the line");
        }
    }

    /** A complaint about the next word. */
    ScriptSyntaxError error(String allowed) {
        int column = ended() ? lineText.stripTrailing().length() + 1 : words.get(at).column;
        String problem = ended() ? "something is missing" : "\"" + words.get(at).text + "\" does not fit";
        return new ScriptSyntaxError(line, column, lineText, problem + "; allowed: " + allowed);
    }

    /** A complaint about the word before. */
    ScriptSyntaxError wrong(String problem) {
        int column = at == 0 ? 1 : words.get(at - 1).column;
        return new ScriptSyntaxError(line, column, lineText, problem);
    }

    /** An enum constant as the language writes it: lower case with dashes. */
    static String kebab(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
