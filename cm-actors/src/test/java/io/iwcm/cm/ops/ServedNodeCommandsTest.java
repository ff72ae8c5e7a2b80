package io.iwcm.cm.ops;

import static io.iwcm.cm.api.Lab.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.iwcm.cm.ops.client.ClientCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Every command that asks a running node asks one that runs: nothing here is a stub. */
@Timeout(180)
class ServedNodeCommandsTest {

    private final RunningNode node = RunningNode.start();
    private final Set<String> tried = new TreeSet<>();

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void everyCommandWorksInTablesAndInJson() throws IOException {
        json("listeners add 10.9.0.2 5000 --answer ask --lease 600");
        int asks = json("listeners").get(1).get("id").intValue();
        node.connect(4420);
        String stands = node.inState("OFFLOADED");

        table("status", "is ready", "listeners    2");
        assertThat(json("status").get("ready").booleanValue()).isTrue();
        table("links", "memory", "10.9.0.2/24");
        assertThat(json("links").get(0).get("mtu").intValue()).isPositive();
        table("neighbours", "no neighbours");
        assertThat(json("neighbours")).isEmpty();
        table("steering", "KIND", "10.9.0.2:4420");
        assertThat(json("steering --limit 1")).hasSize(1);
        table("counters --nonzero", "accepts");
        assertThat(json("counters")).hasSizeGreaterThan(50);
        table("listeners", "10.9.0.2:5000", "ask", "api", "config");
        table("listeners renew " + asks, "listener " + asks + " stays for another ");
        table("connections", stands, "OFFLOADED");
        assertThat(json("connections --state OFFLOADED --role passive --port 4420")
                        .get(0)
                        .get("id")
                        .textValue())
                .isEqualTo(stands);
        table("connection " + stands, stands + " passive OFFLOADED", "MPA request", "! ");
        assertThat(json("connection " + stands).get("history")).isNotEmpty();

        table("reload", "nothing differs");
        assertThat(json("reload").get("restart")).isEmpty();

        answersAndEnds(stands);

        table("events", "LISTENER_UP     listener 1", stands + " 10.9.0.2:4420", "CLOSE");
        Cli events = run("events --json --connection " + stands);
        for (String line : events.out().lines().toList()) {
            assertThat(new ObjectMapper()
                            .readTree(line)
                            .get("connection")
                            .get("id")
                            .textValue())
                    .isEqualTo(stands);
        }
        assertThat(events.out()).isNotEmpty();
        table("listeners remove " + asks, "listener " + asks + " is gone");
        assertThat(json("listeners")).hasSize(1);
        assertThat(tried).isEqualTo(names());
    }

    private void answersAndEnds(String stands) throws IOException {
        node.connect(5000);
        String asked = node.inState("MPAREQ_RCVD");
        table("accept " + asked + " --ird 4 --ord 4 --private-data hi", asked + " is accepted");
        await("it stands", () -> run("connection " + asked).out().contains(" OFFLOADED"));
        table("disconnect " + stands, stands + " is on its way down");
        await("it is over", () -> run("connection " + stands).out().contains(" CLOSED"));
        table("abort " + asked, asked + " is ended");
        node.connect(5000);
        String other = node.inState("MPAREQ_RCVD");
        table("reject " + other + " --private-data no", other + " is rejected");
    }

    @Test
    void aNodeThatSaysNoIsCodeOneAndWhatItCannotMakeOutIsCodeTwo() {
        assertThat(run("abort 9.9")).satisfies(run -> {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .isEqualToIgnoringNewLines("iwcm: there is no connection 9.9, and none that ended lately.");
        });
        assertThat(run("listeners add 10.9.0.2 4420")).satisfies(run -> {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("cannot listen on 10.9.0.2:4420: address in use");
        });
        assertThat(run("connections --state DREAMING")).satisfies(run -> {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .contains("query parameter state is 'DREAMING': ")
                    .contains("OFFLOADED");
        });
        assertThat(run("listeners add here 1").exitCode()).isEqualTo(2);
    }

    @Test
    void watchingGoesOnUntilTheNodeIsGone() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Iwcm.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int[] code = {-1};
        Thread watching = Thread.ofVirtual()
                .start(() -> code[0] = line.execute("status", "--json", "--watch", "0.1", "--url", node.url()));
        await("it was shown twice", () -> out.toString().lines().count() >= 2);

        node.close();

        watching.join();
        assertThat(code[0]).isIn(1, 3); // While it stops it says no; then nobody is there.
        assertThat(err.toString()).startsWith("iwcm: ");
        for (String one : out.toString().lines().toList()) {
            assertThat(new ObjectMapper().readTree(one).get("name").textValue()).isEqualTo("iwcm");
        }
        assertThat(node.run("status").exitCode()).isEqualTo(3);
    }

    @Test
    void followingEventsPrintsThoseToComeAndEndsWithTheNode() throws Exception {
        StringWriter out = new StringWriter();
        CommandLine line = Iwcm.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()));
        int[] code = {-1};
        Thread following =
                Thread.ofVirtual().start(() -> code[0] = line.execute("events", "--follow", "--url", node.url()));
        await("it was told", () -> {
            String id = run("listeners add 10.9.0.2 5001 --json").out().replaceAll("(?s).*?\"id\":(\\d+).*", "$1");
            run("listeners remove " + id);
            return out.toString().contains("LISTENER_DOWN");
        });

        node.close();

        following.join();
        assertThat(code[0]).isEqualTo(3);
    }

    /** The last words of every client command that a person can run. */
    private static Set<String> names() {
        return new TreeSet<>(ClientCommands.all().keySet());
    }

    private void table(String line, String... words) {
        Cli run = run(line);
        assertThat(run.err()).as(line).isEmpty();
        assertThat(run.exitCode()).as(line).isZero();
        assertThat(run.out()).as(line).contains(words);
        assertThat(run.out().lines()).allSatisfy(one -> assertThat(one).doesNotContain("\033"));
    }

    private JsonNode json(String line) throws IOException {
        Cli run = run(line + " --json");
        assertThat(run.exitCode()).as(line + run.err()).isZero();
        assertThat(run.out().lines()).as(line).hasSize(1);
        return new ObjectMapper().readTree(run.out());
    }

    private Cli run(String line) {
        tried.add(line.split(" ")[0]);
        return node.run(line);
    }
}
