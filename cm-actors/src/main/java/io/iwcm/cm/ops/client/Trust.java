package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Which nodes are believed to be what they say. */
final class Trust {

    private Trust() {}

    /** Those that the certificates in this PEM file vouch for, and no others. */
    static SSLContext in(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("trusted-" + trusted.size(), one);
            }
            if (trusted.size() == 0) throw new GeneralSecurityException("it holds none");
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new ClientFailure(Kind.BAD_INPUT, "--ca-file " + file + " cannot be read as certificates in PEM");
        }
    }
}
