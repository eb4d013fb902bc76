/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.ComputeCluster;

/** Owns the name of a cluster among all clusters. */
public record ClusterKey(String namespace, String name) {
    public static ClusterKey of(ComputeCluster cluster) {
        return new ClusterKey(
                cluster.getMetadata().getNamespace(), cluster.getMetadata().getName());
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
