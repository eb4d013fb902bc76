/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.CertManager;
import dev.ratchet.crds.cluster.IssuerReference;
import dev.ratchet.operator.certificates.LeafNames;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.security.Identity;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Owns the Certificates asked of cert-manager, and what becomes of its Secrets. Invariant: cert-manager alone writes a
 * Secret that has a Certificate, and a Secret is deleted only after its Certificate, because otherwise it comes back.
 */
final class CertManagerPlanner {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final Snapshot snapshot;
    private final Target target;
    private final LeafRotation leaves;
    private final PlanBuilder plan;
    private final Set<String> wanted = new HashSet<>();

    CertManagerPlanner(Snapshot snapshot, Target target, LeafRotation leaves, PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.leaves = leaves;
        this.plan = plan;
    }

    /** Says so if nothing can be asked. */
    void begin() {
        snapshot.certificates().obstacle().ifPresent(obstacle -> {
            plan.blocked(Reason.CERTIFICATES_UNUSABLE, obstacle);
            plan.wakeAt(snapshot.now().plus(LOOK_AGAIN));
        });
    }

    /**
     * Plans the Certificate of {@code subject}; gives the entries of its Secret once all are there. A Secret of ours in
     * the same place serves until cert-manager writes into it.
     */
    Optional<Map<String, String>> leaf(String secret, Map<String, String> labels, Identity subject) {
        wanted.add(secret);
        Secret live = snapshot.secrets().get(secret);
        boolean made = CertificateRequests.made(live);
        if (snapshot.certificates().obstacle().isPresent()) {
            return made ? usable(secret, subject) : Optional.empty();
        }
        plan.apply(
                snapshot.certificates().byName().get(secret),
                CertificateRequests.of(target, issuer(), secret, labels, subject, leaves.life()));
        if (!made) {
            plan.blocked(
                    Reason.WAITING_FOR_CERTIFICATES,
                    "cert-manager has not written the Secret " + secret + " yet; kubectl describe certificate " + secret
                            + " says why");
            return Optional.empty();
        }
        return usable(secret, subject);
    }

    /**
     * As {@link #leaf}, for a client. A Secret of ours in the same place goes before anything is asked: what
     * cert-manager took over would keep the old connection document. It stays while nothing shows that the issuer
     * works.
     */
    Optional<Map<String, String>> client(String secret, Map<String, String> labels, Identity subject) {
        Secret live = snapshot.secrets().get(secret);
        if (live == null || CertificateRequests.made(live)) {
            return leaf(secret, labels, subject);
        }
        wanted.add(secret);
        boolean works = CertificateRequests.made(snapshot.secrets().get(CertificateSecrets.operator(target.name())));
        if (works && snapshot.certificates().obstacle().isEmpty()) {
            plan.delete(live);
        }
        return Optional.empty();
    }

    /** A Secret that is still in use though nothing new is asked for it. */
    void keep(String secret) {
        wanted.add(secret);
    }

    /** Plans the end of all that nothing was said about. */
    void finish() {
        snapshot.certificates().byName().forEach((name, certificate) -> {
            if (!wanted.contains(name)) {
                plan.delete(certificate);
            }
        });
        snapshot.secrets().forEach((name, secret) -> {
            if (CertificateRequests.made(secret) && !wanted.contains(name)) {
                plan.delete(secret);
            }
        });
    }

    private Optional<Map<String, String>> usable(String secret, Identity subject) {
        Map<String, String> data = CertificateSecrets.data(snapshot.secrets().get(secret));
        if (!CertificateSecrets.isComplete(data)) {
            plan.blocked(
                    Reason.CERTIFICATES_UNUSABLE,
                    "the Secret " + secret + " of cert-manager must have tls.crt, tls.key and ca.crt; use an issuer"
                            + " that tells its authority, such as one of type CA");
            return Optional.empty();
        }
        if (!LeafNames.cover(data, subject)) {
            plan.blocked(
                    Reason.CERTIFICATES_UNUSABLE,
                    "the certificate in the Secret " + secret + " of cert-manager lacks names that were asked for ("
                            + subject.uri() + "); use an issuer that signs them");
            return Optional.empty();
        }
        return Optional.of(data);
    }

    private IssuerReference issuer() {
        CertManager settings = target.spec().access.certificates.certManager;
        return settings == null ? new IssuerReference() : settings.issuerRef;
    }
}
