/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Optional;

/**
 * Owns the question which life of a cluster an object belongs to. A label names the cluster, and a cluster that is
 * deleted and created again has the same name: only the UID of the owner tells them apart.
 */
final class Ownership {
    private Ownership() {}

    /** Whether the object is owned by the cluster with this UID. */
    static boolean isOf(HasMetadata object, String uid) {
        return owner(object).filter(uid::equals).isPresent();
    }

    /** Whether the object is owned by a cluster with another UID: the garbage collector is going to delete it. */
    static boolean isOfAnother(HasMetadata object, String uid) {
        return owner(object).filter(found -> !found.equals(uid)).isPresent();
    }

    private static Optional<String> owner(HasMetadata object) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null
                ? Optional.empty()
                : owners.stream()
                        .filter(owner -> "ComputeCluster".equals(owner.getKind())
                                && owner.getApiVersion().startsWith(Names.GROUP + "/"))
                        .map(OwnerReference::getUid)
                        .findFirst();
    }
}
