package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that proves itself by a certificate. */
@Timeout(120)
class HttpTlsTest {

    private static final String PASSWORD = "not-a-secret";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void servesOverTlsWithAKeyStore(String algorithm) throws Exception {
        Path store = keyStore(algorithm);

        try (ApiNode node = ApiNode.start(ApiNode.with(Tls.ofKeyStore(store, PASSWORD)), trusting(store))) {
            assertThat(node.server.uri().getScheme()).isEqualTo("https");
            assertThat(node.json("/node").get("name").textValue()).isEqualTo("lab");
            node.listen(4420, "");
            try (EventReader events = EventReader.of(node, "/events", java.util.Optional.of("0-0"))) {
                assertThat(events.next().orElseThrow().type()).isEqualTo("LISTENER_UP");
            }
        }
    }

    @Test
    void servesOverTlsWithPemFiles() throws Exception {
        Path store = keyStore("RSA");
        KeyStore keys = load(store);
        Path certificate = pem("CERTIFICATE", keys.getCertificate("iwcm").getEncoded());
        Path key =
                pem("PRIVATE KEY", keys.getKey("iwcm", PASSWORD.toCharArray()).getEncoded());

        try (ApiNode node = ApiNode.start(ApiNode.with(Tls.ofPem(certificate, key)), trusting(store))) {
            assertThat(node.json("/node").get("name").textValue()).isEqualTo("lab");
        }
    }

    @Test
    void isNotBelievedByWhoDoesNotKnowItsCertificate() throws Exception {
        Path store = keyStore("EC");

        try (ApiNode node = ApiNode.start(ApiNode.with(Tls.ofKeyStore(store, PASSWORD)))) {
            assertThatThrownBy(() -> node.get("/node"))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasRootCauseInstanceOf(Exception.class)
                    .hasCauseInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void speaksNoProtocolThatIsOld() throws Exception {
        Path store = keyStore("EC");
        SSLParameters old = new SSLParameters();
        old.setProtocols(new String[] {"TLSv1.1"});
        HttpClient client = HttpClient.newBuilder()
                .sslContext(context(store))
                .sslParameters(old)
                .build();

        try (ApiNode node = ApiNode.start(ApiNode.with(Tls.ofKeyStore(store, PASSWORD)), client)) {
            assertThatThrownBy(() -> node.get("/node")).hasCauseInstanceOf(SSLException.class);
        }
    }

    @Test
    void answersNothingToWhoSpeaksPlainHttp() throws Exception {
        Path store = keyStore("EC");

        try (ApiNode node = ApiNode.start(ApiNode.with(Tls.ofKeyStore(store, PASSWORD)), trusting(store))) {
            URI uri = node.server.uri();
            try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
                socket.getOutputStream()
                        .write("GET /api/v1/node HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                InputStream in = socket.getInputStream();
                assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                        .doesNotContain("HTTP/1.1 200");
            }
            assertThat(node.json("/node")).isNotEmpty(); // And goes on.
        }
    }

    @Test
    void whatCannotBeUsedIsASentence() throws Exception {
        Path store = keyStore("EC");
        Path empty = directory.resolve("empty.p12");
        KeyStore none = KeyStore.getInstance("PKCS12");
        none.load(null, null);
        try (var out = Files.newOutputStream(empty)) {
            none.store(out, PASSWORD.toCharArray());
        }

        assertThatThrownBy(() -> Tls.ofKeyStore(store, "wrong"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(store + " cannot be used for TLS: ");
        assertThatThrownBy(() -> Tls.ofKeyStore(directory.resolve("none"), PASSWORD))
                .hasMessageContaining("cannot be used for TLS: NoSuchFileException");
        assertThatThrownBy(() -> Tls.ofKeyStore(empty, PASSWORD)).hasMessage(empty + " holds no private key");
        Path text = Files.writeString(directory.resolve("text.pem"), "nothing");
        assertThatThrownBy(() -> Tls.ofPem(text, text)).hasMessageContaining("text.pem");
    }

    private Path keyStore(String algorithm) throws Exception {
        Path store = directory.resolve(algorithm + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "iwcm",
                        "-keyalg",
                        algorithm,
                        "-validity",
                        "2",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return store;
    }

    private Path pem(String what, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                directory.resolve(what.replace(' ', '-') + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private static HttpClient trusting(Path store) throws Exception {
        return HttpClient.newBuilder().sslContext(context(store)).build();
    }

    private static SSLContext context(Path store) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("iwcm", load(store).getCertificate("iwcm"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(Path store) throws Exception {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }
}
