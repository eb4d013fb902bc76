/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;

/**
 * Owns the memory that a worker shares with the processes of its isolated tasks. Every pod has 64 MiB of it; a worker
 * whose object store is larger is given a volume in memory of the store's size, because without enough each large value
 * is copied through files. What is written there counts as memory of the container, like the rest of the object store.
 */
final class SharedMemoryParts {
    private static final String VOLUME = "shared-memory";
    private static final String DIRECTORY = "/dev/shm";
    private static final long PODS_OWN_BYTES = 64L << 20;

    private SharedMemoryParts() {}

    static List<Volume> volumes(ComputeClusterSpec spec) {
        return isNeeded(spec)
                ? List.of(new VolumeBuilder()
                        .withName(VOLUME)
                        .withNewEmptyDir()
                        .withMedium("Memory")
                        .withSizeLimit(new Quantity(Long.toString(Memory.objectStoreBytes(spec))))
                        .endEmptyDir()
                        .build())
                : List.of();
    }

    static List<VolumeMount> mounts(ComputeClusterSpec spec) {
        return isNeeded(spec) ? List.of(PodParts.mount(VOLUME, DIRECTORY, false)) : List.of();
    }

    private static boolean isNeeded(ComputeClusterSpec spec) {
        return Memory.objectStoreBytes(spec) > PODS_OWN_BYTES;
    }
}
