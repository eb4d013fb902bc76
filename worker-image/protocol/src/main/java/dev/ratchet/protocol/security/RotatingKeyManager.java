/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the credential that is current when a handshake begins. TLS asks for an alias first and for chain and key by it
 * later; an alias names one credential for good, so that a rotation in between does not mix an old chain with a new
 * key.
 */
final class RotatingKeyManager extends X509ExtendedKeyManager {

    /** A handshake lasts seconds, a rotation comes hourly at most. */
    private static final int REMEMBERED_CREDENTIALS = 4;

    private final CredentialSource source;
    private final Map<String, Credential> byAlias = new LinkedHashMap<>();

    RotatingKeyManager(CredentialSource source) {
        this.source = source;
    }

    private synchronized String alias() {
        Credential credential = source.current();
        String alias = "c" + System.identityHashCode(credential);
        if (byAlias.put(alias, credential) == null && byAlias.size() > REMEMBERED_CREDENTIALS) {
            byAlias.remove(byAlias.keySet().iterator().next());
        }
        return alias;
    }

    private synchronized @Nullable Credential credential(@Nullable String alias) {
        return byAlias.get(alias);
    }

    @Override
    public String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias();
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias();
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias();
    }

    @Override
    public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {alias()};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {alias()};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        Credential credential = credential(alias);
        return credential == null ? null : credential.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        Credential credential = credential(alias);
        return credential == null ? null : credential.key();
    }
}
