package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresRoot;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The iwcm-VERSION.tar.gz that the build made, unpacked in a directory with blanks in its name and used from there. */
@RequiresTool("tar")
class DistributionIT {

    private static final String NOBODY = "65534";

    @TempDir
    static Path temporary;

    private static Path home;

    /** A directory of its own for each test, that everybody may write. */
    @TempDir
    Path work;

    @BeforeAll
    static void unpack() throws IOException {
        String packaged = System.getProperty("iwcm.distribution", "");
        assertThat(packaged).as("what -Diwcm.distribution=FILE names").endsWith(".tar.gz");
        Path archive = Path.of(packaged);
        Path directory = open(Files.createDirectory(temporary.resolve("some where else")));
        open(temporary);
        assertThat(Program.run(
                        directory,
                        Map.of(),
                        List.of("tar", "-xzf", archive.toAbsolutePath().toString())))
                .satisfies(tar -> assertThat(tar.err()).isEmpty())
                .satisfies(tar -> assertThat(tar.exitCode()).isZero());
        home = directory.resolve(archive.getFileName().toString().replaceFirst("\\.tar\\.gz$", ""));
    }

    private static Path open(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Fails when Maven is called; without an archive, so that a test is not about who makes it and when. */
    private Map<String, String> environment() throws IOException {
        Path tools = Files.createDirectories(work.resolve("tools"));
        Path mvn = tools.resolve("mvn");
        Files.writeString(mvn, "#!/bin/sh\ntouch '" + work.resolve("mvn-was-called") + "'\nexit 1\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new HashMap<>(Map.of(
                "PATH",
                tools + ":" + System.getenv("PATH"),
                "IWCM_JAVA",
                System.getProperty("java.home"),
                "IWCM_AOT",
                "off"));
    }

    private Program.Ran iwcm(String... arguments) throws IOException {
        return Program.run(work, environment(), command(List.of(), arguments));
    }

    private static List<String> command(List<String> before, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(home.resolve("bin/iwcm").toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> as(String user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    @Test
    void hasWhatIsNeededAndNothingThatBuildsIt() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "bin", "lib", "config", "docs", "completion", "README.md", "LICENSE", "CHANGELOG.md");
        }
        assertThat(home.resolve("docs/reference/nic-bridge.conf")).isRegularFile();
        assertThat(home.resolve("docs/reference/cm-actors.conf")).isRegularFile();
        assertThat(Files.readString(home.resolve("completion/iwcm.bash")))
                .isEqualTo(Cli.run("completion", "bash").out());
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .allMatch(jar -> jar.endsWith(".jar"))
                    .noneMatch(jar -> jar.contains("junit") || jar.contains("tests"));
        }
    }

    @Test
    void saysItsVersionWithoutMaven() throws IOException {
        Program.Ran ran = iwcm("version");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out())
                .startsWith("iwcm " + home.getFileName().toString().substring("iwcm-".length()) + " ")
                .contains("Java " + Runtime.version());
        assertThat(ran.err()).isEmpty();
        assertThat(work.resolve("mvn-was-called")).doesNotExist();
    }

    @Test
    void startsByALinkToItselfAndByOneToItsLauncher() throws IOException {
        Path directory = Files.createSymbolicLink(work.resolve("iwcm"), home);
        Path launcher = Files.createSymbolicLink(work.resolve("launcher"), directory.resolve("bin/iwcm"));

        for (Path start : List.of(directory.resolve("bin/iwcm"), launcher)) {
            Program.Ran ran = Program.run(work, environment(), List.of(start.toString(), "--version"));
            assertThat(ran.out()).as(ran.err()).startsWith("iwcm ");
        }
    }

    @Test
    @RequiresTool("systemd-analyze")
    void systemdHasNothingToSayAgainstItsUnit() throws IOException {
        Path link = Files.createSymbolicLink(work.resolve("opt-iwcm"), home);
        String unit = Files.readString(home.resolve("config/systemd/iwcm.service"));
        Path file = Files.writeString(work.resolve("iwcm.service"), unit.replace("/opt/iwcm", link.toString()));

        Program.Ran verify =
                Program.run(work, Map.of(), List.of("systemd-analyze", "verify", "--man=no", file.toString()));

        assertThat(verify.err() + verify.out()).isEmpty();
        assertThat(verify.exitCode()).isZero();
    }

    @Test
    void demonstratesItself() throws IOException {
        Program.Ran ran = iwcm("demo", "--once", "--quiet");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("OK: ");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void findsNothingWrongWithTheConfigurationsThatComeWithIt() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("config", "check"));
        try (Stream<Path> files = Files.list(home.resolve("config"))) {
            files.filter(file -> file.toString().endsWith(".conf"))
                    .filter(file -> !file.endsWith("tls.conf")) // Needs a key store and a token: HttpApiDocumentTest.
                    .map(Path::toString)
                    .sorted()
                    .forEach(arguments::add);
        }

        Program.Ran ran = iwcm(arguments.toArray(String[]::new));

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).hasLineCount(arguments.size() - 2);
        assertThat(arguments).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    @RequiresRoot
    @RequiresTool("setpriv")
    void servesAsAUserWhoMayWriteNothingAndEndsInOrder() throws Exception {
        open(work);
        Path file = Files.writeString(work.resolve("my.conf"), """
            include file("%s")
            iwcm.http.port = 0
            """.formatted(home.resolve("config/single.conf")));
        Map<String, String> environment = environment();
        environment.remove("IWCM_AOT"); // There is no place for it: nothing is made, and nothing said.

        try (Program serve =
                Program.start(work, environment, command(as(NOBODY), "serve", "--config", file.toString()))) {
            String page = serve.lineThatBegins("http://");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(page).resolve("/api/v1/openapi.yaml"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).startsWith("openapi: ");

            serve.terminate();
            Program.Ran ran = serve.end();
            assertThat(ran.out()).endsWith("stopped\n");
            assertThat(ran.err()).isEmpty();
            assertThat(ran.exitCode()).isEqualTo(128 + 15);
        }
        assertThat(home.resolve("aot")).doesNotExist();
    }

    @Test
    @RequiresRoot
    @RequiresTool("setpriv")
    void theArchiveIsKeptInTheUsersCacheWhereTheInstallationIsAnothers() throws Exception {
        Path cache = Files.createDirectory(work.resolve("cache"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, String> environment = environment();
        environment.remove("IWCM_AOT");
        environment.put("XDG_CACHE_HOME", cache.toString());

        Program.Ran made = Program.run(work, environment, command(as(NOBODY), "warm-up"));
        assertThat(made.exitCode()).as(made.err()).isZero();
        try (Stream<Path> files = Files.list(cache.resolve("iwcm"))) {
            assertThat(files).singleElement().asString().endsWith(".aot");
        }

        environment.put("IWCM_JAVA_OPTS", "-Xlog:class+load");
        Program.Ran used = Program.run(work, environment, command(as(NOBODY), "config", "print"));
        assertThat(used.out()).containsPattern("io\\.iwcm\\.cm\\.ops\\.Iwcm source: shared objects file");
        assertThat(used.exitCode()).isZero();
    }
}
