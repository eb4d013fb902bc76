/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Checks that a server has the DNS name that is expected of it, instead of the address that was dialled: processes dial
 * IP addresses. Clients of the JDK leave the check of names to a trust manager of this kind.
 */
final class AuthorityTrustManager extends X509ExtendedTrustManager {

    private static final int DNS_NAME = 2;

    private final X509ExtendedTrustManager authorities;
    private final String authority;

    AuthorityTrustManager(X509ExtendedTrustManager authorities, String authority) {
        this.authorities = authorities;
        this.authority = authority;
    }

    private void check(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkServerTrusted(chain, authType);
        Collection<List<?>> names = chain[0].getSubjectAlternativeNames();
        boolean matches = names != null
                && names.stream()
                        .anyMatch(name -> Integer.valueOf(DNS_NAME).equals(name.get(0))
                                && authority.equalsIgnoreCase(String.valueOf(name.get(1))));
        if (!matches) {
            throw new CertificateException("The server is not " + authority + ", its certificate names " + names);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
