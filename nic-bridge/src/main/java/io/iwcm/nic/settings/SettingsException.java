package io.iwcm.nic.settings;

import com.typesafe.config.ConfigException;

/** A setting that cannot be used. The message is one sentence: the key, what it is, where it stands, what is allowed. */
public final class SettingsException extends ConfigException {

    private static final long serialVersionUID = 1L;

    public SettingsException(String sentence) {
        super(sentence);
    }
}
