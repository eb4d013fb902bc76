/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Owns what signs and what is trusted in one cluster. Invariant: everybody is given {@code trusted} well before
 * anything is signed by a new {@code signer}, so a rotation breaks no connection.
 */
public record Authority(KeyPairAndCertificate signer, List<X509Certificate> trusted) {
    public Authority {
        trusted = List.copyOf(trusted);
    }

    /** The trusted certificates as the text of {@code ca.crt}. */
    public String bundle() {
        return Pem.write(trusted);
    }
}
