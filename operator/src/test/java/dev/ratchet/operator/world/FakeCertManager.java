/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.world;

import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.CertificateIssuer;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.observe.RequestedCertificates;
import dev.ratchet.protocol.security.Identity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does what cert-manager does, when told to: writes the Secret of each Certificate, with the labels of its template and
 * an annotation, without an owner; writes into one that is there; leaves it there when the Certificate goes.
 */
public final class FakeCertManager {
    private static final CertificateLives LIVES = CertificateLives.ofDays(90);

    public boolean installed = true;
    public boolean issues = true;
    public boolean tellsAuthority = true;
    private final AuthorityRotation authorities;
    private final LeafRotation leaves;
    private Map<String, String> authority = Map.of();

    FakeCertManager(CertificateIssuer issuer) {
        this.authorities = new AuthorityRotation(issuer, LIVES);
        this.leaves = new LeafRotation(issuer, LIVES);
    }

    /** What the operator reads. */
    RequestedCertificates requested(FakeApi api) {
        return installed
                ? new RequestedCertificates(Optional.empty(), api.all(Certificate.class))
                : new RequestedCertificates(Optional.of("install cert-manager"), Map.of());
    }

    /** Writes the Secrets that are missing or old. */
    public void work(FakeApi api) {
        if (!installed || !issues) {
            return;
        }
        authority = authorities.step(authority, "issuer", "cert-manager", api.now);
        for (Certificate certificate : api.all(Certificate.class).values()) {
            Secret live = api.all(Secret.class).get(certificate.getSpec().secretName);
            Identity identity = Identity.parse(certificate.getSpec().uris.get(0));
            Map<String, String> before =
                    CertificateRequests.made(live) ? CertificateSecrets.data(live) : new HashMap<>();
            Map<String, String> data = leaves.step(before, identity, AuthorityRotation.authority(authority), api.now);
            if (!tellsAuthority) {
                data.remove("ca.crt");
            }
            if (!data.equals(before)) {
                write(api, certificate, live, data);
            }
        }
    }

    private static void write(FakeApi api, Certificate certificate, Secret live, Map<String, String> data) {
        Map<String, String> encoded = new HashMap<>(live == null ? Map.of() : live.getData());
        data.forEach((key, value) ->
                encoded.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        api.put(new SecretBuilder()
                .withNewMetadata()
                .withName(certificate.getSpec().secretName)
                .withOwnerReferences(
                        live == null ? List.of() : live.getMetadata().getOwnerReferences())
                .withNamespace(certificate.getMetadata().getNamespace())
                .withLabels(certificate.getSpec().secretTemplate.get("labels"))
                .addToAnnotations(
                        "cert-manager.io/certificate-name",
                        certificate.getMetadata().getName())
                .endMetadata()
                .withType(live == null ? "kubernetes.io/tls" : live.getType())
                .withData(encoded)
                .build());
    }
}
