/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.operator.apply.ApiWriter;
import dev.ratchet.operator.apply.Applier;
import dev.ratchet.operator.apply.CachingWriter;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.CertificateIssuer;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.CoordinatorObserver;
import dev.ratchet.operator.plan.ClusterPlanner;
import dev.ratchet.operator.status.EventRecorder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** Owns what a reconciler is put together from. */
record ReconcilerParts(
        ClusterPlanner planner,
        Settings settings,
        Snapshots snapshots,
        Applier applier,
        CoordinatorObserver coordinators,
        OperatorCredentials credentials,
        CoordinatorEvents coordinatorEvents,
        Compatibility compatibility,
        EventRecorder events,
        Watchdog watchdog,
        BiFunction<ComputeCluster, Context<ComputeCluster>, ApiWriter> writers) {
    static ReconcilerParts of(
            KubernetesClient client,
            Settings settings,
            CertificateLives lives,
            CoordinatorObserver coordinators,
            CoordinatorEvents coordinatorEvents,
            String instance,
            Compatibility compatibility,
            Watchdog watchdog,
            InstantSource clock) {
        CertificateIssuer issuer = new CertificateIssuer(new SecureRandom());
        LeafRotation leaves = new LeafRotation(issuer, lives);
        Snapshots snapshots = new Snapshots(
                settings,
                coordinators,
                new BroughtAuthorities(client),
                new ProgramSources(client, coordinatorEvents::changed),
                new CertManagerReader(client),
                new NodeReader(client),
                clock);
        return new ReconcilerParts(
                new ClusterPlanner(settings, new AuthorityRotation(issuer, lives), leaves),
                settings,
                snapshots,
                new Applier(clock),
                coordinators,
                new OperatorCredentials(leaves),
                coordinatorEvents,
                compatibility,
                new EventRecorder(client, instance),
                watchdog,
                (cluster, context) -> {
                    ClusterKey key = ClusterKey.of(cluster);
                    return new CachingWriter(context, () -> snapshots.requested(key), () -> watchdog.goesOn(key));
                });
    }
}
