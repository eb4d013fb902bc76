/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.model.StorePods;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Snapshot;
import java.util.Map;
import java.util.Optional;

/**
 * Owns the question whether the store is still the one that the cluster used first. What another store says about the
 * workers is true of another cluster, so nothing may be decided from it. An embedded store without a volume starts
 * empty, with another id, whenever its pod is made anew: there the id says nothing.
 */
public final class StoreGuard {
    private StoreGuard() {}

    /** The id of the store found, if it is not the one of the cluster. */
    public static Optional<String> stranger(Snapshot snapshot, ComputeClusterSpec spec) {
        String recorded = recorded(snapshot);
        if (recorded.isEmpty() || isVolatile(spec)) {
            return Optional.empty();
        }
        return snapshot.clusterReport()
                .map(CoordinatorReport::storeId)
                .filter(found -> !found.isEmpty() && !found.equals(recorded) && !isAccepted(snapshot, found));
    }

    /** What to say about {@code stranger}. */
    static String explain(Snapshot snapshot, String stranger) {
        return "the store has the id " + stranger + " and the cluster used the store " + recorded(snapshot)
                + ": nothing is changed. Bring the former store back, or set the annotation "
                + Names.ACCEPT_STORE_ANNOTATION + ": \"" + stranger + "\" to go on with this one";
    }

    /** What a deletion waits for: the end of a cluster may clear a store, and this one is not its own. */
    static String awaited(String stranger) {
        return "its own store: the one found has the id " + stranger + ", which the annotation "
                + Names.ACCEPT_STORE_ANNOTATION + " can accept";
    }

    private static String recorded(Snapshot snapshot) {
        ComputeClusterStatus status = snapshot.cluster().getStatus();
        return status == null || status.store == null || status.store.id == null ? "" : status.store.id;
    }

    private static boolean isAccepted(Snapshot snapshot, String found) {
        Map<String, String> annotations = snapshot.cluster().getMetadata().getAnnotations();
        return annotations != null && found.equals(annotations.get(Names.ACCEPT_STORE_ANNOTATION));
    }

    private static boolean isVolatile(ComputeClusterSpec spec) {
        return spec.store.type == StoreType.EMBEDDED && StorePods.settings(spec).storage == null;
    }
}
