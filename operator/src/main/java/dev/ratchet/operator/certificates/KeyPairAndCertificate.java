/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** Owns one certificate with its private key. Invariant: the key belongs to the certificate. */
public record KeyPairAndCertificate(X509Certificate certificate, PrivateKey key) {
    /**
     * When two thirds of its life are over: the time to replace it, with a third left for that to fail and be repaired.
     */
    public Instant renewAt() {
        return renewAt(certificate);
    }

    static Instant renewAt(X509Certificate certificate) {
        Instant from = certificate.getNotBefore().toInstant();
        Duration life = Duration.between(from, certificate.getNotAfter().toInstant());
        return from.plus(life.multipliedBy(2).dividedBy(3));
    }

    public Instant notAfter() {
        return certificate.getNotAfter().toInstant();
    }
}
