/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.LoggerFactory;

/**
 * Checks the other side against the authorities that are current at the handshake. A client that is refused here never
 * becomes a call, so the line in the log that says who was refused and why is written here.
 */
final class RotatingTrustManager extends X509ExtendedTrustManager {

    private static final BoundedLog LOG = new BoundedLog(LoggerFactory.getLogger(RotatingTrustManager.class));

    private final CredentialSource source;

    RotatingTrustManager(CredentialSource source) {
        this.source = source;
    }

    private interface Check {
        void run(X509ExtendedTrustManager authorities) throws CertificateException;
    }

    private void logged(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run(source.current().authorities());
        } catch (CertificateException refused) {
            LOG.warn(
                    "TLS handshake refused, certificate of the caller not accepted:"
                            + " identity={} subject={} issuer={} notAfter={} reason={}",
                    chain.length == 0
                            ? "none"
                            : Identity.of(chain[0]).map(Identity::uri).orElse("none"),
                    chain.length == 0 ? "none" : chain[0].getSubjectX500Principal(),
                    chain.length == 0 ? "none" : chain[0].getIssuerX500Principal(),
                    chain.length == 0 ? "none" : chain[0].getNotAfter().toInstant(),
                    rootOf(refused).toString());
            throw refused;
        }
    }

    /** A server that is refused here fails a call, whose caller is told who showed what. */
    private void explained(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run(source.current().authorities());
        } catch (CertificateException refused) {
            throw chain.length == 0 ? refused : new TlsRefusals.UntrustedServerException(chain[0], refused);
        }
    }

    /** Only the root tells an expired certificate from one of a stranger. */
    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        logged(chain, authorities -> authorities.checkClientTrusted(chain, authType, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        logged(chain, authorities -> authorities.checkClientTrusted(chain, authType, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        logged(chain, authorities -> authorities.checkClientTrusted(chain, authType));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        explained(chain, authorities -> authorities.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        explained(chain, authorities -> authorities.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        explained(chain, authorities -> authorities.checkServerTrusted(chain, authType));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return source.current().authorities().getAcceptedIssuers();
    }
}
