/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Owns the life of a cluster's own authority: made, later announced, later promoted. The Secret's data is the whole
 * state; each call goes at most one step, so that it may be interrupted anywhere. Announcing comes a while before
 * signing because pods get Secrets late.
 */
public final class AuthorityRotation {
    private final CertificateIssuer issuer;
    private final CertificateLives lives;

    public AuthorityRotation(CertificateIssuer issuer, CertificateLives lives) {
        this.issuer = issuer;
        this.lives = lives;
    }

    /**
     * What the Secret of the authority should hold, given what it holds.
     *
     * @param data decoded entries; empty when there is no Secret yet
     * @throws UnusableCertificateException if what is there can not be read: overwriting it would cut off every process
     *     at once
     */
    public Map<String, String> step(Map<String, String> data, String cluster, String namespace, Instant now) {
        if (data.isEmpty()) {
            return entries(issuer.authority(cluster, namespace, now, lives.authority()), List.of());
        }
        KeyPairAndCertificate signer = read(data, SecretKeys.CERTIFICATE, SecretKeys.KEY);
        List<X509Certificate> others = others(data, signer, now);
        if (!now.isBefore(signer.notAfter())) {
            return entries(issuer.authority(cluster, namespace, now, lives.authority()), others);
        }
        if (data.containsKey(SecretKeys.NEXT_CERTIFICATE)) {
            KeyPairAndCertificate next = read(data, SecretKeys.NEXT_CERTIFICATE, SecretKeys.NEXT_KEY);
            Instant announced = next.certificate().getNotBefore().toInstant().plus(CertificateIssuer.BACKDATED);
            if (now.isBefore(announced.plus(lives.announcement()))) {
                return data;
            }
            others.remove(next.certificate());
            others.add(signer.certificate());
            return entries(next, others);
        }
        if (now.isBefore(signer.renewAt())) {
            return entries(signer, others);
        }
        KeyPairAndCertificate next = issuer.authority(cluster, namespace, now, lives.authority());
        others.add(next.certificate());
        Map<String, String> announced = entries(signer, others);
        announced.put(SecretKeys.NEXT_CERTIFICATE, Pem.write(next.certificate()));
        announced.put(SecretKeys.NEXT_KEY, Pem.write(next.key()));
        return announced;
    }

    /** The authority that {@code data} describes. */
    public static Authority authority(Map<String, String> data) {
        KeyPairAndCertificate signer = read(data, SecretKeys.CERTIFICATE, SecretKeys.KEY);
        if (signer.certificate().getBasicConstraints() < 0) {
            throw new UnusableCertificateException(
                    "tls.crt is not the certificate of an authority (CA:TRUE), so it can not sign those of pods", null);
        }
        List<X509Certificate> trusted = new ArrayList<>();
        trusted.add(signer.certificate());
        String bundle = data.get(SecretKeys.AUTHORITIES);
        if (bundle != null) {
            Pem.certificates(bundle).stream().filter(c -> !trusted.contains(c)).forEach(trusted::add);
        }
        return new Authority(signer, trusted);
    }

    private static KeyPairAndCertificate read(Map<String, String> data, String certificate, String key) {
        String certificateText = data.get(certificate);
        String keyText = data.get(key);
        if (certificateText == null || keyText == null) {
            throw new UnusableCertificateException(
                    "the entries " + certificate + " and " + key + " must be there", null);
        }
        return new KeyPairAndCertificate(Pem.certificates(certificateText).get(0), Pem.key(keyText));
    }

    private static List<X509Certificate> others(Map<String, String> data, KeyPairAndCertificate signer, Instant now) {
        List<X509Certificate> others = new ArrayList<>();
        String bundle = data.get(SecretKeys.AUTHORITIES);
        if (bundle != null) {
            Pem.certificates(bundle).stream()
                    .filter(other -> !other.equals(signer.certificate()))
                    .filter(other -> now.isBefore(other.getNotAfter().toInstant()))
                    .forEach(others::add);
        }
        return others;
    }

    private static Map<String, String> entries(KeyPairAndCertificate signer, List<X509Certificate> others) {
        List<X509Certificate> trusted = new ArrayList<>();
        trusted.add(signer.certificate());
        trusted.addAll(others);
        Map<String, String> data = new LinkedHashMap<>();
        data.put(SecretKeys.CERTIFICATE, Pem.write(signer.certificate()));
        data.put(SecretKeys.KEY, Pem.write(signer.key()));
        data.put(SecretKeys.AUTHORITIES, Pem.write(trusted));
        return data;
    }
}
