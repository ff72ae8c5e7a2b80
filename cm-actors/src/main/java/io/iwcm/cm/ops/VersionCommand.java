package io.iwcm.cm.ops;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code iwcm version}: which iwcm, and which Java it runs on. */
@Command(name = "version", description = "Print the version, the commit and the Java it runs on.")
final class VersionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().println(String.join(System.lineSeparator(), lines()));
    }

    private static String[] lines() {
        String java = "Java " + Runtime.version() + ", " + System.getProperty("java.vendor");
        return new String[] {BuildInfo.read().toString(), java};
    }

    /** Gives {@code iwcm --version} the same answer. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return lines();
        }
    }
}
