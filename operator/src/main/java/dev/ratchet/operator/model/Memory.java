/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ContainerResources;
import dev.ratchet.crds.cluster.StorageSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Owns how a container's memory is divided: object store outside the heap, an eighth (at least 160 MiB) for the JVM
 * itself, the rest heap. The heap is told to the JVM in so many bytes, because a process without a cgroup would
 * otherwise size itself by the whole machine. A heap grows to its limit sooner or later, whatever it holds, so what the
 * JVM takes beside it must fit too, or the kernel ends the process; docs/decisions/0301 has what was measured.
 */
final class Memory {
    private static final long MIB = 1L << 20;
    /** What a container without any memory setting is assumed to have. */
    private static final long UNSET_BYTES = 768 * MIB;

    private static final long OVERHEAD_BYTES_MIN = 160 * MIB;
    /** What release 0.1.0 left to the JVM at least, half of it for direct buffers. */
    private static final long FORMER_OVERHEAD_BYTES_MIN = 96 * MIB;

    private static final long HEAP_BYTES_MIN = 64 * MIB;
    private static final long SPILL_WITHOUT_VOLUME_BYTES = 1024 * MIB;

    private Memory() {}

    static long objectStoreBytes(ComputeClusterSpec spec) {
        Quantity memory = spec.workers.objectStore.memory;
        return memory == null ? limitBytes(spec.workers.resources) / 4 : bytes(memory);
    }

    static long spillBytes(ComputeClusterSpec spec) {
        Quantity spill = spec.workers.objectStore.spill;
        if (spill != null) {
            return bytes(spill);
        }
        StorageSpec storage = spec.workers.storage;
        return storage == null ? SPILL_WITHOUT_VOLUME_BYTES : bytes(storage.size) / 2;
    }

    static String workerJavaOptions(ComputeClusterSpec spec) {
        return javaOptions(limitBytes(spec.workers.resources), objectStoreBytes(spec));
    }

    static String storeJavaOptions(ContainerResources resources) {
        return javaOptions(limitBytes(resources), 0);
    }

    /** Whether an operator, of this release or a former one, has derived these options from the limit. */
    static boolean isDerived(String javaOptions, @Nullable Quantity limit, long objectStore) {
        long bytes = limit == null ? UNSET_BYTES : bytes(limit);
        return javaOptions.equals(javaOptions(bytes, objectStore))
                || javaOptions.equals(javaOptions(bytes, objectStore, FORMER_OVERHEAD_BYTES_MIN, 2));
    }

    private static String javaOptions(long limit, long objectStore) {
        return javaOptions(limit, objectStore, OVERHEAD_BYTES_MIN, 3);
    }

    private static String javaOptions(long limit, long objectStore, long overheadMin, int directShare) {
        long overhead = Math.max(overheadMin, limit / 8);
        long heap = Math.max(HEAP_BYTES_MIN, limit - objectStore - overhead);
        long direct = objectStore + overhead / directShare;
        return "-Xmx" + heap / MIB + "m -XX:MaxDirectMemorySize=" + direct / MIB + "m";
    }

    private static long limitBytes(ContainerResources resources) {
        Quantity limit = find(resources.limits.get("memory"), resources.requests.get("memory"));
        return limit == null ? UNSET_BYTES : bytes(limit);
    }

    private static @Nullable Quantity find(@Nullable Quantity limit, @Nullable Quantity request) {
        return limit == null ? request : limit;
    }

    static long bytes(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity).longValue();
    }
}
