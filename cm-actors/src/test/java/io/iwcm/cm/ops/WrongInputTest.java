package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the input is one sentence on standard error and exit code 2; nothing else is printed. */
class WrongInputTest {

    private static final String GOOD = """
        iwcm.nic.addresses = [ { address = "10.9.0.2/24" } ]
        iwcm.cm.listeners = [ { address = "10.9.0.2", port = 4420, answer = accept } ]
        """;

    @TempDir
    Path directory;

    private static void isOneSentence(Cli run, String sentence) {
        assertThat(run.err()).startsWith("iwcm: ").contains(sentence).doesNotContain("\tat ");
        assertThat(run.err().strip()).doesNotContain("\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private Path config(String text) throws IOException {
        return Files.writeString(directory.resolve("iwcm.conf"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "demo --bogus | Unknown option: '--bogus'",
                "dmo | Unknown command 'dmo'; did you mean 'demo'?",
                "demo --vlan 4095 | --vlan 4095 is out of range: 0..4094 are allowed",
                "demo --mpa 3 | --mpa 3 is out of range: 1..2 are allowed",
                "demo --loss 1.5 | --loss 1.5 is out of range: 0..1 are allowed",
                "demo --connections 0 | --connections 0 is out of range: 1..1000 are allowed",
                "demo --ird 16383 | --ird 16383 is out of range: 0..16382 are allowed",
                "demo --once --pcap no/such/directory/x.pcap | no/such/directory/x.pcap cannot be written",
                "serve | Missing required option: '--config=FILE'",
                "serve --config no/such/file | no/such/file is not a file that can be read",
                "listen 70000 --config x | PORT 70000 is out of range: 1..65535 are allowed",
                "connect 10.0.0.1 0 --config x | PORT 0 is out of range: 1..65535 are allowed",
                "connect 10.0.0 80 --config x | '10.0.0' is not an IP address",
            })
    void onTheCommandLine(String line, String sentence) {
        isOneSentence(Cli.run(line.split(" ")), sentence);
    }

    @ParameterizedTest
    @CsvSource({"2,508", "1,512"})
    void privateDataThatIsTooLongNamesItsLimit(String revision, int most) {
        String data = "x".repeat(most + 1);

        isOneSentence(
                Cli.run("demo", "--mpa", revision, "--private-data", data),
                "--private-data has " + (most + 1) + " octets: at most " + most + " are allowed in MPA revision "
                        + revision);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "iwcm.nic.adresses = [] | iwcm.nic.adresses | did you mean iwcm.nic.addresses?",
                "iwcm.cm.tcp.retries-max = many | iwcm.cm.tcp.retries-max = \"many\" | 0..64",
                "iwcm.cn { } | iwcm.cn | did you mean iwcm.cm?",
                "iwcm.cm.deadlines.close = 10 years | iwcm.cm.deadlines.close = \"10 years\" | 1ms..86400s",
                "iwcm { cm.listeners = [], http.enabled = false } | iwcm.cm.listeners is empty | at least one",
            })
    void inTheConfiguration(String line, String what, String allowed) throws IOException {
        Cli run = Cli.run("serve", "--config", config(GOOD + line).toString());

        isOneSentence(run, what);
        assertThat(run.err()).contains(allowed);
    }

    @Test
    void configurationThatIsNotHocon() throws IOException {
        isOneSentence(Cli.run("serve", "--config", config("iwcm {").toString()), "iwcm.conf: 1");
    }

    @Test
    void interfaceThatDoesNotExist() throws IOException {
        Path config = config(GOOD + "iwcm.nic.link { kind = tap, tap { device = iwcm-none0, create = false } }");

        Cli run = Cli.run("serve", "--config", config.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("iwcm: the TAP interface iwcm-none0 cannot be opened")
                .doesNotContain("\tat ");
    }

    @Test
    void connectToNobodyIsAFailureNotWrongInput() throws IOException {
        Cli run =
                Cli.run("connect", "10.9.0.2", "4420", "--config", config(GOOD).toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("CONNECT_REPLY connection refused (errno 111)");
        assertThat(run.err())
                .isEqualTo("iwcm: no connection to 10.9.0.2 port 4420: connection refused (errno 111)."
                        + System.lineSeparator());
    }
}
