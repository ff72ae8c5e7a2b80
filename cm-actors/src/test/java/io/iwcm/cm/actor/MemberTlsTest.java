package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Members with certificates of one CA understand each other; others are refused and say so. */
@RequiresTool("openssl")
class MemberTlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final Logger pekko = (Logger) LoggerFactory.getLogger("org.apache.pekko");
    private final List<ActorTestKit> members = new ArrayList<>();

    @AfterEach
    void end() {
        pekko.detachAndStopAllAppenders();
        pekko.setLevel(null);
        members.forEach(
                member -> member.system().terminate()); // TLS streams may take long to end: nobody waits for them.
    }

    @Test
    void membersOfOneCaUnderstandEachOther() throws Exception {
        certificates("ours", "one", "two");
        ActorTestKit one = member("ours", "one");
        ActorTestKit two = member("ours", "two");
        TestProbe<Cause> probe = two.createTestProbe();

        seenFrom(one, two, probe.ref()).tell(Cause.RESET);

        assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(Cause.RESET);
    }

    @Test
    void aMemberOfAnotherCaIsRefusedAndSaysSo() throws Exception {
        certificates("ours", "one");
        certificates("theirs", "stranger");
        ActorTestKit one = member("ours", "one");
        ActorTestKit stranger = member("theirs", "stranger");
        TestProbe<Cause> probe = one.createTestProbe();
        ListAppender<ILoggingEvent> said = listen();

        seenFrom(stranger, one, probe.ref()).tell(Cause.RESET);

        String peer = ActorRefResolver.get(one.system())
                .toSerializationFormat(probe.ref())
                .replaceAll(".*@|/.*", "");
        stranger.createTestProbe()
                .awaitAssert(
                        PATIENCE,
                        () -> assertThat(said.list)
                                .extracting(ILoggingEvent::getFormattedMessage)
                                .anyMatch(line -> line.contains(peer) && line.contains("certificate")));
        probe.expectNoMessage(Duration.ZERO);
    }

    private ListAppender<ILoggingEvent> listen() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        pekko.setLevel(Level.WARN);
        pekko.addAppender(appender);
        return appender;
    }

    private ActorTestKit member(String ca, String name) {
        Config config = ConfigFactory.parseString(String.format("""
            pekko.actor.provider = cluster
            pekko.cluster.jmx.multi-mbeans-in-same-jvm = on
            pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }
            pekko.coordinated-shutdown.exit-jvm = off
            iwcm-certs { directory = "%s", member = "%s" }
            """, directory.resolve(ca), name))
                .withFallback(ConfigFactory.parseFile(new File(project(), "config/cluster-tls.conf")))
                .withFallback(ConfigFactory.load())
                .resolve();
        ActorTestKit member = ActorTestKit.create("members", config);
        members.add(member);
        return member;
    }

    private static ActorRef<Cause> seenFrom(ActorTestKit viewer, ActorTestKit home, ActorRef<Cause> actor) {
        return ActorRefResolver.get(viewer.system())
                .resolveActorRef(ActorRefResolver.get(home.system()).toSerializationFormat(actor));
    }

    private void certificates(String ca, String... members) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bin/iwcm-certs", directory.resolve(ca).toString()));
        command.addAll(List.of(members));
        Process process = new ProcessBuilder(command)
                .directory(project())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** Tests run in their module's directory or in that above. */
    private static File project() {
        Path here = Path.of("").toAbsolutePath();
        return (Files.exists(here.resolve("bin/iwcm-certs")) ? here : here.getParent()).toFile();
    }
}
