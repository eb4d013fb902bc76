/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.operator.observe.ClusterKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Owns the ConfigMaps that hold programs of circuits. They carry no label of ours, so each is watched by its name; a
 * cluster without a circuit costs nothing. Safe for use by several threads.
 */
final class ProgramSources {
    private record Watched(String name, SharedIndexInformer<ConfigMap> informer) {}

    private final KubernetesClient client;
    private final Consumer<ClusterKey> changed;
    private final Map<ClusterKey, Watched> watched = new ConcurrentHashMap<>();

    /** @param changed is told which cluster's program may have changed */
    ProgramSources(KubernetesClient client, Consumer<ClusterKey> changed) {
        this.client = client;
        this.changed = changed;
    }

    /** The ConfigMap that the newest spec of the cluster names; empty if it names none or there is none. */
    Optional<ConfigMap> of(ComputeCluster cluster) {
        ClusterKey key = ClusterKey.of(cluster);
        String name = name(cluster.getSpec().circuit);
        Watched known = watched.get(key);
        if (known != null && !known.name().equals(name)) {
            forget(key);
            known = null;
        }
        if (name == null) {
            return Optional.empty();
        }
        if (known == null) {
            known = new Watched(name, watch(key, name));
            watched.put(key, known);
        }
        return known.informer().getStore().list().stream().findFirst();
    }

    void forget(ClusterKey cluster) {
        Watched known = watched.remove(cluster);
        if (known != null) {
            known.informer().stop();
        }
    }

    private static @Nullable String name(@Nullable CircuitSpec circuit) {
        return circuit == null || circuit.sql == null || circuit.sql.configMapKeyRef.name.isEmpty()
                ? null
                : circuit.sql.configMapKeyRef.name;
    }

    /** Reads it once and follows it from then on. */
    private SharedIndexInformer<ConfigMap> watch(ClusterKey key, String name) {
        return client.configMaps().inNamespace(key.namespace()).withName(name).inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap added) {
                changed.accept(key);
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap now) {
                changed.accept(key);
            }

            @Override
            public void onDelete(ConfigMap deleted, boolean stateUnknown) {
                changed.accept(key);
            }
        });
    }
}
