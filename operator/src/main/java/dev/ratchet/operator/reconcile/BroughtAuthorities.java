/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.SecretCertificates;
import dev.ratchet.operator.certificates.SecretKeys;
import dev.ratchet.operator.observe.ClusterKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Owns the authorities that users bring. Their Secrets carry no label of ours, so they are read by name, at most once
 * in {@link #READ_EVERY} per cluster; a cluster that brings none costs no read.
 */
final class BroughtAuthorities {
    private static final Duration READ_EVERY = Duration.ofMinutes(2);
    private static final Duration READ_MISSING_EVERY = Duration.ofSeconds(5);

    private record Reading(SecretCertificates names, Optional<Secret> secret, Instant at) {}

    private final KubernetesClient client;
    private final Map<ClusterKey, Reading> readings = new ConcurrentHashMap<>();

    BroughtAuthorities(KubernetesClient client) {
        this.client = client;
    }

    /** One Secret with certificate, key and trusted authorities; empty if none is named or a Secret is missing. */
    Optional<Secret> of(ComputeCluster cluster, Instant now) {
        SecretCertificates names = cluster.getSpec().access.certificates.secret;
        ClusterKey key = ClusterKey.of(cluster);
        if (names == null) {
            readings.remove(key);
            return Optional.empty();
        }
        Reading last = readings.get(key);
        if (last == null || !last.names().equals(names) || isOld(last, now)) {
            last = new Reading(names, read(key.namespace(), names), now);
            readings.put(key, last);
        }
        return last.secret();
    }

    void forget(ClusterKey cluster) {
        readings.remove(cluster);
    }

    private static boolean isOld(Reading reading, Instant now) {
        Duration every = reading.secret().isPresent() ? READ_EVERY : READ_MISSING_EVERY;
        return now.isAfter(reading.at().plus(every));
    }

    private Optional<Secret> read(String namespace, SecretCertificates names) {
        Secret trusted = get(namespace, names.caSecretName);
        Secret signer = get(namespace, names.serverSecretName);
        if (trusted == null || signer == null || signer.getData() == null || trusted.getData() == null) {
            return Optional.empty();
        }
        String bundle = trusted.getData().getOrDefault(SecretKeys.AUTHORITIES, "");
        return Optional.of(new SecretBuilder(signer)
                .addToData(SecretKeys.AUTHORITIES, bundle)
                .build());
    }

    private @Nullable Secret get(String namespace, String name) {
        return client.secrets().inNamespace(namespace).withName(name).get();
    }
}
