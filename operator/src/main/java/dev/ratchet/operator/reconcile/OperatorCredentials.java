/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.certificates.Authority;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.certificates.SecretKeys;
import dev.ratchet.operator.certificates.UnusableCertificateException;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TransportSecurity;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the operator's own certificate for each cluster. It is signed in memory by the cluster's authority and never
 * stored, because whoever can read the authority's Secret could make it anyway; or it is the one of a Secret that
 * cert-manager wrote.
 */
final class OperatorCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorCredentials.class);
    private static final String NAME = "operator";

    private record Issued(Map<String, String> data, TransportSecurity security) {}

    private final LeafRotation leaves;
    private final Map<ClusterKey, Issued> issued = new ConcurrentHashMap<>();

    OperatorCredentials(LeafRotation leaves) {
        this.leaves = leaves;
    }

    /** How to talk to the cluster's workers; the same object until something changes. Empty without an authority. */
    Optional<TransportSecurity> of(Snapshot snapshot) {
        ClusterKey key = ClusterKey.of(snapshot.cluster());
        Secret given = snapshot.secrets().get(CertificateSecrets.operator(snapshot.name()));
        if (CertificateRequests.made(given)) {
            return use(key, CertificateSecrets.data(given));
        }
        Optional<Authority> authority = authority(snapshot);
        if (authority.isEmpty()) {
            return Optional.empty();
        }
        Issued before = issued.get(key);
        Map<String, String> had = before == null ? new HashMap<>() : before.data();
        Identity identity = new Identity(snapshot.namespace(), snapshot.name(), Kind.OPERATOR, NAME);
        Instant now = snapshot.now();
        return use(key, leaves.step(had, identity, authority.get(), now));
    }

    private Optional<TransportSecurity> use(ClusterKey key, Map<String, String> data) {
        Issued before = issued.get(key);
        if (before != null && data.equals(before.data())) {
            return Optional.of(before.security());
        }
        try {
            TransportSecurity security = MutualTls.fromPem(
                    data.getOrDefault(SecretKeys.CERTIFICATE, ""),
                    data.getOrDefault(SecretKeys.KEY, ""),
                    data.getOrDefault(SecretKeys.AUTHORITIES, ""));
            issued.put(key, new Issued(data, security));
            return Optional.of(security);
        } catch (IllegalArgumentException unusable) {
            LOG.warn("The certificate for calls to cluster {} can not be used: {}", key, unusable.getMessage());
            return Optional.empty();
        }
    }

    void forget(ClusterKey cluster) {
        issued.remove(cluster);
    }

    private static Optional<Authority> authority(Snapshot snapshot) {
        Secret own = snapshot.secrets().get(Names.authoritySecret(snapshot.name()));
        Secret signer = snapshot.userAuthority().orElse(own);
        if (signer == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(AuthorityRotation.authority(CertificateSecrets.data(signer)));
        } catch (UnusableCertificateException unusable) {
            // The planner says so in a condition.
            return Optional.empty();
        }
    }
}
