package io.iwcm.cm.ops;

import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.wire.Octets;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks what the command line says; what is not allowed is one sentence and exit code 2. */
record Checks(CommandSpec spec) {

    void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(option + " " + value + " is out of range: " + least + ".." + most + " are allowed");
        }
    }

    void share(String option, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw wrong(option + " " + value + " is out of range: 0..1 are allowed");
        }
    }

    Octets privateData(String option, byte[] data, int revision) {
        int most = MpaCodec.privateDataMax(revision == 2);
        if (data.length > most) {
            throw wrong(option + " has " + data.length + " octets: at most " + most + " are allowed in MPA revision "
                    + revision);
        }
        return Octets.copyOf(data);
    }

    ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
