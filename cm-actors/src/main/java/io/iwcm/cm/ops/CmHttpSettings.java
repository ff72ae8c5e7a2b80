package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import io.iwcm.cm.http.HttpSettings;
import io.iwcm.cm.http.Tls;
import io.iwcm.cm.trace.Histories;
import io.iwcm.nic.settings.SettingsException;
import io.iwcm.nic.settings.SettingsReader;
import io.iwcm.nic.wire.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Everything under {@code iwcm.http}; {@code reference.conf} says what each key does. */
final class CmHttpSettings {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int TOKEN_MIN = 16;
    private static final int MANY = 1 << 20;

    private CmHttpSettings() {}

    /**
     * Reads a resolved configuration; empty when nothing is to be served.
     *
     * @throws SettingsException on the first value that is not allowed, and on unknown keys
     */
    static Optional<HttpSettings> from(Config root) {
        SettingsReader http = SettingsReader.of(root, "iwcm.http");
        boolean enabled = http.flag("enabled");
        InetAddress address = http.parsed("address", "an IPv4 or IPv6 address", CmHttpSettings::address);
        int port = http.integer("port", 0, 65_535);
        Optional<String> token = token(http);
        Optional<Supplier<Tls>> tls = tls(http.block("tls"));
        HttpSettings.Limits limits = limits(http.block("limits"));
        HttpSettings.Timeouts timeouts = timeouts(http.block("timeouts"));
        http.refuseUnknown();
        if (!enabled) return Optional.empty();
        if (token.isEmpty() && !address.isLoopbackAddress()) {
            throw http.notAllowed("address", "a loopback address as long as there is no token");
        }
        return Optional.of(new HttpSettings(
                new InetSocketAddress(address, port), token, tls.map(Supplier::get), limits, timeouts));
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByAddress(IpAddress.parse(text).toBytes());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** The sentences about it do not show it. */
    private static Optional<String> token(SettingsReader http) {
        String said = http.text("token");
        String file = http.text("token-file");
        if (!said.isEmpty() && !file.isEmpty()) {
            throw new SettingsException(
                    "iwcm.http.token and iwcm.http.token-file are both set: one of them is allowed");
        }
        String token = file.isEmpty() ? said : read(file);
        if (token.isEmpty() && file.isEmpty()) return Optional.empty();
        if (token.length() < TOKEN_MIN || !token.matches("[!-~]+")) {
            throw new SettingsException((file.isEmpty() ? "iwcm.http.token" : "the token in " + file)
                    + " is not allowed: " + TOKEN_MIN + " or more characters of printable ASCII without blanks are");
        }
        return Optional.of(token);
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new SettingsException("iwcm.http.token-file = " + file + " is not a file that can be read");
        }
    }

    private static Optional<Supplier<Tls>> tls(SettingsReader tls) {
        String certificate = tls.text("certificate");
        String key = tls.text("key");
        String keyStore = tls.text("key-store");
        String password = tls.text("key-store-password");
        if (!keyStore.isEmpty()) {
            if (!certificate.isEmpty() || !key.isEmpty()) {
                throw tls.notAllowed("key-store", "either a key store or a certificate and its key");
            }
            return Optional.of(() -> load(() -> Tls.ofKeyStore(Path.of(keyStore), password)));
        }
        if (certificate.isEmpty() != key.isEmpty()) {
            throw tls.notAllowed(certificate.isEmpty() ? "key" : "certificate", "a certificate together with its key");
        }
        if (certificate.isEmpty()) return Optional.empty();
        return Optional.of(() -> load(() -> Tls.ofPem(Path.of(certificate), Path.of(key))));
    }

    private static Tls load(Supplier<Tls> tls) {
        try {
            return tls.get();
        } catch (IllegalArgumentException e) {
            throw new SettingsException("iwcm.http.tls: " + e.getMessage());
        }
    }

    private static HttpSettings.Limits limits(SettingsReader limits) {
        return new HttpSettings.Limits(
                limits.integer("body", 1024, 1 << 24),
                limits.integer("page", 1, 10_000),
                limits.integer("subscribers", 0, 10_000),
                limits.integer("events", 1, MANY),
                new Histories.Limits(
                        limits.integer("histories", 0, MANY),
                        limits.integer("history-steps", 1, 10_000),
                        limits.integer("ended-histories", 0, MANY)));
    }

    private static HttpSettings.Timeouts timeouts(SettingsReader timeouts) {
        return new HttpSettings.Timeouts(
                timeouts.duration("request", SECOND, HOUR),
                timeouts.duration("idle", SECOND, HOUR),
                timeouts.duration("keep-alive", SECOND, HOUR));
    }
}
