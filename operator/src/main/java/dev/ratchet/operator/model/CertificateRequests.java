/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.IssuerReference;
import dev.ratchet.operator.certificates.LeafNames;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Owns how cert-manager is asked for what {@code CertificateIssuer} would make itself: the same names, purposes and
 * kind of key. A Certificate has the name of its Secret. When to renew is left to cert-manager, whose default is ours.
 */
public final class CertificateRequests {
    /** Annotation by which cert-manager marks the Secrets that it writes. */
    private static final String MADE_BY = "cert-manager.io/certificate-name";

    private CertificateRequests() {}

    /**
     * The Certificate of {@code subject}.
     *
     * @param secret the Secret to write, whose {@code labels} are how the operator finds it
     */
    public static Certificate of(
            Target target,
            IssuerReference issuer,
            String secret,
            Map<String, String> labels,
            Identity subject,
            Duration life) {
        CertificateSpec spec = new CertificateSpec();
        spec.secretName = secret;
        spec.secretTemplate = Map.of("labels", labels);
        spec.commonName = subject.name();
        spec.duration = life.toHours() + "h" + life.toMinutesPart() + "m" + life.toSecondsPart() + "s";
        spec.uris = List.of(subject.uri());
        spec.dnsNames = LeafNames.dnsNames(subject);
        spec.usages = serves(subject.kind())
                ? List.of("digital signature", "server auth", "client auth")
                : List.of("digital signature", "client auth");
        spec.privateKey = Map.of("algorithm", "ECDSA", "size", 256, "encoding", "PKCS8", "rotationPolicy", "Always");
        spec.issuerRef = Map.of("group", issuer.group, "kind", issuer.kind, "name", issuer.name);
        Certificate certificate = new Certificate();
        certificate.setMetadata(target.metadata(secret, labels));
        certificate.setSpec(spec);
        return certificate;
    }

    /** Whether cert-manager wrote {@code secret}. */
    public static boolean made(@Nullable Secret secret) {
        return secret != null
                && secret.getMetadata().getAnnotations() != null
                && secret.getMetadata().getAnnotations().containsKey(MADE_BY);
    }

    private static boolean serves(Kind kind) {
        return kind == Kind.WORKER || kind == Kind.STORE;
    }
}
