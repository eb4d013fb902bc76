/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.StorageSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Owns the volume claims. They have no owner: whether they go is decided by the retention policy alone, never by
 * garbage collection.
 */
public final class VolumeClaims {
    private VolumeClaims() {}

    /** The claim of a seat, or none where the data volume is as short-lived as the pod. */
    public static Optional<PersistentVolumeClaim> worker(Target target, String seat) {
        return Optional.ofNullable(target.spec().workers.storage)
                .map(storage -> claim(target, seat, storage, Labels.seat(target.name(), Names.POOL, seat)));
    }

    /** The claim of the embedded store, or none. */
    public static Optional<PersistentVolumeClaim> store(Target target) {
        return Optional.ofNullable(StorePods.settings(target.spec()).storage)
                .map(storage -> claim(target, Names.storePod(target.name()), storage, Labels.store(target.name())));
    }

    private static PersistentVolumeClaim claim(
            Target target, String pod, StorageSpec storage, Map<String, String> labels) {
        PersistentVolumeClaimBuilder claim = new PersistentVolumeClaimBuilder()
                .withMetadata(target.unowned(Names.claim(pod), labels))
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", storage.size)
                .endResources()
                .endSpec();
        if (!storage.storageClassName.isEmpty()) {
            claim.editSpec().withStorageClassName(storage.storageClassName).endSpec();
        }
        return claim.build();
    }
}
