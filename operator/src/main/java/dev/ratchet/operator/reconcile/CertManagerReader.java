/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.RequestedCertificates;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Owns the reading of Certificates. They are listed, not watched: most API servers do not serve them, a watch that can
 * not start would stop the operator, and nothing but their Secrets, which are watched, is news. A list is kept for
 * {@link #READ_EVERY} or until the operator writes one; a cluster without cert-manager costs no request.
 */
final class CertManagerReader {
    private static final Duration READ_EVERY = Duration.ofMinutes(5);
    private static final Duration READ_MISSING_EVERY = Duration.ofSeconds(20);

    private record Reading(RequestedCertificates found, Instant at) {}

    private final KubernetesClient client;
    private final Map<ClusterKey, Reading> readings = new ConcurrentHashMap<>();

    CertManagerReader(KubernetesClient client) {
        this.client = client;
    }

    /** The Certificates of a cluster that uses cert-manager or has used it. */
    RequestedCertificates of(ComputeCluster cluster, Collection<Secret> secrets, Instant now) {
        ClusterKey key = ClusterKey.of(cluster);
        boolean uses = cluster.getSpec().access.certificates.type == CertificateSource.CERT_MANAGER;
        Reading last = readings.get(key);
        if (!uses && last == null && secrets.stream().noneMatch(CertificateRequests::made)) {
            return RequestedCertificates.NONE;
        }
        if (last == null || now.isAfter(last.at().plus(age(last)))) {
            last = new Reading(read(key), now);
            readings.put(key, last);
        }
        if (!uses && last.found().byName().isEmpty()) {
            readings.remove(key);
        }
        return last.found();
    }

    /** The next snapshot must show what was written. */
    void forget(ClusterKey cluster) {
        readings.remove(cluster);
    }

    /** As {@link #forget}, for one that may have Certificates though nothing else tells so. */
    void outdated(ClusterKey cluster) {
        readings.computeIfPresent(cluster, (key, reading) -> new Reading(reading.found(), Instant.EPOCH));
    }

    private static Duration age(Reading reading) {
        return reading.found().obstacle().isPresent() ? READ_MISSING_EVERY : READ_EVERY;
    }

    private RequestedCertificates read(ClusterKey cluster) {
        try {
            Map<String, Certificate> found = client
                    .resources(Certificate.class)
                    .inNamespace(cluster.namespace())
                    .withLabels(Labels.cluster(cluster.name()))
                    .list()
                    .getItems()
                    .stream()
                    .collect(Collectors.toMap(
                            certificate -> certificate.getMetadata().getName(), Function.identity()));
            return new RequestedCertificates(Optional.empty(), found);
        } catch (KubernetesClientException refused) {
            return switch (refused.getCode()) {
                case HttpURLConnection.HTTP_NOT_FOUND ->
                    obstacle("spec.access.certificates.type is CertManager, but the API server has no"
                            + " certificates.cert-manager.io; install cert-manager, or set the type to Operator");
                case HttpURLConnection.HTTP_FORBIDDEN ->
                    obstacle("the operator may not read certificates.cert-manager.io; install the chart with"
                            + " certificates.certManager=true, or set spec.access.certificates.type to Operator");
                default -> throw refused;
            };
        }
    }

    private static RequestedCertificates obstacle(String message) {
        return new RequestedCertificates(Optional.of(message), Map.of());
    }
}
