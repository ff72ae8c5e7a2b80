package io.iwcm.nic.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;

/** Everything that may cross between members, and how: made once, then used by any thread. */
public final class Protocol {

    /** To be raised when the octets of some shape change and the types do not say so. */
    private static final int REVISION = 1;

    private static final int FINGERPRINT_OCTETS = 8;

    private final Codecs.Choice messages = new Codecs.Choice("a message");
    private final List<Class<?>> types = new ArrayList<>();
    private final Map<Class<?>, List<Class<?>>> choices;
    private final String description;
    private final String fingerprint;

    private Protocol(Words words) {
        Grammar grammar = new Grammar(words, messages);
        for (Class<?> message : words.messages()) {
            for (Class<?> form : grammar.formsOf(message)) {
                if (messages.knows(form)) continue;
                messages.add(form, grammar.of(form));
                types.add(form);
            }
        }
        this.choices = Map.copyOf(grammar.choices());
        StringBuilder text = new StringBuilder("form " + REVISION + "\n");
        types.forEach(type -> text.append("message ").append(type.getName()).append('\n'));
        this.description = text.append(grammar.description()).toString();
        this.fingerprint = digest(description);
    }

    /**
     * What the vocabularies of this member say together.
     *
     * @throws IllegalStateException when there is no codec for something that they want to cross; it names the path there
     */
    public static Protocol shared() {
        return Shared.PROTOCOL;
    }

    static Protocol of(Iterable<Vocabulary> vocabularies) {
        Words words = new Words();
        new Values().speak(words);
        StreamSupport.stream(vocabularies.spliterator(), false)
                .sorted(Comparator.comparing(vocabulary -> vocabulary.getClass().getName()))
                .forEach(vocabulary -> vocabulary.speak(words));
        return new Protocol(words);
    }

    /** Sixteen digits that are the same at two members exactly if they understand each other. */
    public String fingerprint() {
        return fingerprint;
    }

    /** What the fingerprint is taken of: every type and its form, a line each. */
    public String description() {
        return description;
    }

    /** The classes of all messages, in the order of their numbers. */
    public List<Class<?>> types() {
        return List.copyOf(types);
    }

    /** The classes that cross as this interface, in the order of their numbers; without any if it is not known. */
    public List<Class<?>> forms(Class<?> type) {
        return choices.getOrDefault(type, List.of());
    }

    /** @throws CodecException when that is no message, or holds something that does not cross */
    public void write(Object message, Output out) {
        messages.write(message, out);
    }

    /** @throws CodecException when the octets are not one message; nothing else is ever thrown */
    public Object read(Input in) {
        Object message;
        try {
            message = messages.read(in);
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException e) {
            // What a value's own constructor refuses, nobody of this version has sent.
            throw new CodecException("a value is not allowed: " + e.getMessage());
        }
        if (in.left() > 0) throw new CodecException(in.left() + " octets follow the message");
        return message;
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, FINGERPRINT_OCTETS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static final class Shared {
        private static final Protocol PROTOCOL =
                of(ServiceLoader.load(Vocabulary.class, Vocabulary.class.getClassLoader()));
    }
}
