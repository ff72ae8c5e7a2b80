package io.iwcm.cm.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build this is: the version, and the commit it was made from. */
record BuildInfo(String version, String commit, boolean dirty) {

    private static final String UNKNOWN = "unknown";

    /** Reads what the build wrote beside this class; what it could not know is "unknown". */
    static BuildInfo read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in != null) properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties cannot be read", e);
        }
        return new BuildInfo(
                known(properties, "version"),
                known(properties, "commit"),
                known(properties, "dirty").equals("true"));
    }

    private static String known(Properties properties, String key) {
        String value = properties.getProperty(key, UNKNOWN);
        return value.isBlank() || value.startsWith("${") ? UNKNOWN : value;
    }

    @Override
    public String toString() {
        return "iwcm " + version + " (commit " + commit + (dirty ? ", with local changes" : "") + ")";
    }
}
