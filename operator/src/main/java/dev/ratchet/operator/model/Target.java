/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StoreType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;

/**
 * Owns the input of every model: one cluster with the spec that is in effect, which is not always the newest one.
 * Everything made from it is owned by the cluster, so that losing any single object never takes another along.
 */
public record Target(String name, String namespace, String uid, ComputeClusterSpec spec, Settings settings) {
    /** The target of {@code cluster} with {@code spec} in effect. */
    public static Target of(ComputeCluster cluster, ComputeClusterSpec spec, Settings settings) {
        ObjectMeta metadata = cluster.getMetadata();
        return new Target(metadata.getName(), metadata.getNamespace(), metadata.getUid(), spec, settings);
    }

    /** Metadata of an object that goes when the cluster goes. */
    public ObjectMeta metadata(String objectName, Map<String, String> labels) {
        return new ObjectMetaBuilder(unowned(objectName, labels))
                .withOwnerReferences(owner())
                .build();
    }

    /** Metadata of an object that may outlive the cluster. */
    public ObjectMeta unowned(String objectName, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withName(objectName)
                .withNamespace(namespace)
                .withLabels(labels)
                .build();
    }

    public Map<String, String> labels() {
        return Labels.cluster(name);
    }

    public boolean isEmbedded() {
        return spec.store.type == StoreType.EMBEDDED;
    }

    /** Which part of the store's key space belongs to the cluster. */
    public String subspace() {
        FoundationDbStore foundation = spec.store.foundationDB;
        return foundation == null || foundation.subspace.isEmpty() ? namespace + "/" + name : foundation.subspace;
    }

    private OwnerReference owner() {
        return new OwnerReferenceBuilder()
                .withApiVersion(Names.GROUP + "/" + Names.VERSION)
                .withKind("ComputeCluster")
                .withName(name)
                .withUid(uid)
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }
}
