package io.iwcm.nic.settings;

import com.typesafe.config.ConfigException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Settings that cannot be used. Each problem is one sentence: the key, what it is, where it stands, what is allowed; the
 * message is all of them.
 */
public final class SettingsException extends ConfigException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // What List.copyOf makes can be serialized.
    private final List<Problem> problems;

    /**
     * One thing that is wrong.
     *
     * @param key the whole path, such as {@code iwcm.cm.listeners[2].port}; empty when it is about no key
     * @param sentence without the full stop
     * @param usable a value that would be right in this place, or empty when none is known
     */
    public record Problem(String key, String sentence, String usable) implements Serializable {}

    public SettingsException(String sentence) {
        this(List.of(new Problem("", sentence, "")));
    }

    SettingsException(List<Problem> problems) {
        super(problems.stream().map(Problem::sentence).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
