/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import dev.ratchet.futures.isolation.IsolationOptions;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.session.SlotCapacity;
import java.nio.file.Path;

/**
 * What a worker gives its futures.
 *
 * @param namespace namespace of the cluster
 * @param cluster its name
 * @param release release of Ratchet
 * @param threads slots: tasks that run at once, at least 1
 * @param capacity what tasks may take together, as the worker has said of itself when it took its seat
 * @param dataDirectory where artifacts, objects and the log ring are; kept apart from other processes
 * @param dataOnVolume whether the next process of the seat has that directory, also in another pod
 * @param objectStoreMemoryBytes what the results held here may take of the memory outside of the heap
 * @param objectStoreSpillBytes what those that do not fit there may take on disk
 * @param isolation how isolated tasks run
 */
public record FuturesOptions(
        String namespace,
        String cluster,
        String release,
        int threads,
        Capacity capacity,
        SlotCapacity slots,
        Path dataDirectory,
        boolean dataOnVolume,
        long objectStoreMemoryBytes,
        long objectStoreSpillBytes,
        IsolationOptions isolation) {

    public FuturesOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("A worker has at least 1 thread, not " + threads);
        }
        if (objectStoreMemoryBytes < 0 || objectStoreSpillBytes < 0) {
            throw new IllegalArgumentException("The object store has at least 0 bytes, not memory="
                    + objectStoreMemoryBytes + " spill=" + objectStoreSpillBytes);
        }
    }
}
