/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.CoordinatorObserver;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.CoordinatorSilence;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.Surroundings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Owns the taking of snapshots: all from the caches, which hold our own writes, and nothing from the API server. */
final class Snapshots {
    private final Settings settings;
    private final CoordinatorObserver coordinators;
    private final PodRetries retries = new PodRetries();
    private final CoordinatorSilence silence = new CoordinatorSilence();
    private final BroughtAuthorities brought;
    private final ProgramSources programs;
    private final CertManagerReader certManager;
    private final NodeReader nodes;
    private final InstantSource clock;

    Snapshots(
            Settings settings,
            CoordinatorObserver coordinators,
            BroughtAuthorities brought,
            ProgramSources programs,
            CertManagerReader certManager,
            NodeReader nodes,
            InstantSource clock) {
        this.settings = settings;
        this.coordinators = coordinators;
        this.brought = brought;
        this.programs = programs;
        this.certManager = certManager;
        this.nodes = nodes;
        this.clock = clock;
    }

    /** A snapshot; {@code namespaceEnds} is what the API server said when it refused something. */
    Snapshot take(ComputeCluster cluster, Context<ComputeCluster> context, boolean namespaceEnds) {
        ClusterKey key = ClusterKey.of(cluster);
        Instant now = clock.instant();
        Map<String, Pod> pods = byName(context, Pod.class);
        Map<String, Secret> secrets = byName(context, Secret.class);
        Map<String, HasMetadata> policies = new TreeMap<>(byName(context, EventSources.budgets(settings)));
        if (settings.networkPolicies()) {
            policies.putAll(byName(context, NetworkPolicy.class));
        }
        Optional<CoordinatorReport> clusterReport = coordinators.clusterReport(key);
        return new Snapshot(
                        cluster,
                        now,
                        clusterReport,
                        List.copyOf(byName(context, ControllerRevision.class).values()),
                        byName(context, ComputeWorker.class),
                        List.copyOf(byName(context, ComputeLayout.class).values()),
                        pods,
                        byName(context, PersistentVolumeClaim.class),
                        secrets,
                        byName(context, Service.class),
                        byName(context, ConfigMap.class),
                        policies,
                        brought.of(cluster, now),
                        programs.of(cluster),
                        certManager.of(cluster, secrets.values(), now),
                        retries.observe(key, pods, now),
                        new Surroundings(
                                namespaceEnds,
                                nodes.lost(pods.values(), now),
                                silence.observe(key, clusterReport.isPresent(), pods.values(), now)),
                        List.of())
                .withoutFormer();
    }

    Instant now() {
        return clock.instant();
    }

    void forget(ClusterKey cluster) {
        retries.forget(cluster);
        silence.forget(cluster);
        brought.forget(cluster);
        programs.forget(cluster);
        certManager.forget(cluster);
    }

    /** A Certificate of the cluster was written. */
    void requested(ClusterKey cluster) {
        certManager.outdated(cluster);
    }

    private static <T> Map<String, T> byName(Context<ComputeCluster> context, Class<T> kind) {
        Map<String, T> found = new TreeMap<>();
        for (T object : context.getSecondaryResources(kind)) {
            found.put(((HasMetadata) object).getMetadata().getName(), object);
        }
        return found;
    }
}
