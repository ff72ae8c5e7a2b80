package io.iwcm.cm.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** What a server proves itself with. */
public final class Tls {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private final SSLContext context;

    private Tls(SSLContext context) {
        this.context = context;
    }

    /**
     * A key and its certificates in PEM files.
     *
     * @param certificates the server's own first
     * @param key PKCS #8, not encrypted
     * @throws IllegalArgumentException with one sentence when they cannot be used
     */
    public static Tls ofPem(Path certificates, Path key) {
        return of(certificates + " and " + key, () -> {
            try (InputStream in = Files.newInputStream(certificates)) {
                Certificate[] chain = CertificateFactory.getInstance("X.509")
                        .generateCertificates(in)
                        .toArray(Certificate[]::new);
                if (chain.length == 0) throw new IllegalArgumentException(certificates + " holds no certificate");
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("server", privateKey(key), new char[0], chain);
                return context(store, new char[0]);
            }
        });
    }

    /**
     * A PKCS #12 key store.
     *
     * @throws IllegalArgumentException with one sentence when it cannot be used
     */
    public static Tls ofKeyStore(Path file, String password) {
        return of(file.toString(), () -> {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(Files.readAllBytes(file)), password.toCharArray());
            if (!hasKey(store)) throw new IllegalArgumentException(file + " holds no private key");
            return context(store, password.toCharArray());
        });
    }

    SSLContext context() {
        return context;
    }

    private interface Making {
        SSLContext make() throws IOException, GeneralSecurityException;
    }

    private static Tls of(String what, Making making) {
        try {
            return new Tls(making.make());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(what + " cannot be used for TLS: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        @Nullable String message = e.getMessage();
        String kind = e.getClass().getSimpleName();
        return message == null ? kind : kind + ", " + message;
    }

    private static boolean hasKey(KeyStore store) throws GeneralSecurityException {
        for (String alias : java.util.Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) return true;
        }
        return false;
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!pem.find()) {
            throw new IllegalArgumentException(file + " holds no key in PKCS #8 PEM without a password");
        }
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                continue; // It is a key of another kind: its kind stands inside.
            }
        }
        throw new IllegalArgumentException(file + " holds a key of a kind that is not known: RSA, EC and EdDSA are");
    }

    private static SSLContext context(KeyStore store, char[] password) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
