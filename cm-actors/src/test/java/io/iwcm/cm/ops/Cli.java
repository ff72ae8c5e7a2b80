package io.iwcm.cm.ops;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One run of the command line inside this JVM.
 *
 * @param exitCode what a shell would see
 * @param out standard output
 * @param err standard error
 */
record Cli(int exitCode, String out, String err) {

    static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Iwcm.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = line.execute(args);
        return new Cli(exitCode, out.toString(), err.toString());
    }
}
