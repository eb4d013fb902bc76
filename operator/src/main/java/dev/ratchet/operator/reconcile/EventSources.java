/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.Labels;
import dev.ratchet.operator.model.Budgets;
import dev.ratchet.operator.model.Settings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Owns the watches: one per kind, restricted to objects with our label, shared by everything. An object belongs to the
 * cluster that its label names, which is a pure function of the object and works for objects without owner as well.
 */
final class EventSources {
    /** Objects per page of the first list, so that a large cluster is not decoded in one piece. */
    private static final long PAGE = 500;

    private EventSources() {}

    static List<EventSource<?, ComputeCluster>> of(EventSourceContext<ComputeCluster> context, Settings settings) {
        List<EventSource<?, ComputeCluster>> sources = new ArrayList<>();
        for (Class<? extends HasMetadata> kind : kinds(settings)) {
            sources.add(informer(kind, context));
        }
        return sources;
    }

    static List<Class<? extends HasMetadata>> kinds(Settings settings) {
        List<Class<? extends HasMetadata>> kinds = new ArrayList<>(List.of(
                Pod.class,
                ComputeWorker.class,
                ComputeLayout.class,
                ControllerRevision.class,
                Service.class,
                ConfigMap.class,
                Secret.class,
                PersistentVolumeClaim.class,
                budgets(settings)));
        if (settings.networkPolicies()) {
            kinds.add(NetworkPolicy.class);
        }
        return kinds;
    }

    static Class<? extends HasMetadata> budgets(Settings settings) {
        return settings.budgetVersion().equals(Budgets.POLICY_V1)
                ? io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget.class
                : io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget.class;
    }

    private static <T extends HasMetadata> EventSource<?, ComputeCluster> informer(
            Class<T> kind, EventSourceContext<ComputeCluster> context) {
        InformerEventSourceConfiguration.Builder<T> configuration = InformerEventSourceConfiguration.from(
                        kind, ComputeCluster.class)
                .withName(kind.getSimpleName())
                .withNamespacesInheritedFromController()
                .withInformerListLimit(PAGE)
                .withSecondaryToPrimaryMapper(EventSources::clusterOf);
        if (kind != ComputeWorker.class && kind != ComputeLayout.class) {
            configuration.withLabelSelector(Labels.MANAGED_BY + "=" + Labels.RATCHET);
        }
        return new InformerEventSource<>(configuration.build(), context);
    }

    private static <T extends HasMetadata> Set<ResourceID> clusterOf(T object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        String cluster = labels == null ? null : labels.get(Labels.CLUSTER);
        if (cluster == null && object instanceof ComputeLayout layout) {
            cluster = layout.getSpec().clusterName;
        }
        return cluster == null
                ? Set.of()
                : Set.of(new ResourceID(cluster, object.getMetadata().getNamespace()));
    }
}
