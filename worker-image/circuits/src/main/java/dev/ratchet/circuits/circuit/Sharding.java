/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRange;
import java.util.Arrays;

/**
 * Which worker thread owns which hashes: runs of shards as equal as they can be, so that every worker thread is one
 * slice of every batch.
 */
public final class Sharding {

    /** A power of two; more worker threads would leave some idle. */
    public static final int SHARDS = 1024;

    public static final int WORKER_THREADS_MAX = 256;

    private Sharding() {}

    /** The hashes of a worker thread among {@code worker threads}. */
    public static HashRange range(int workerThread, int workerThreads) {
        return HashRange.ofShards(first(workerThread, workerThreads), first(workerThread + 1, workerThreads), SHARDS);
    }

    /** The worker thread of each shard among {@code worker threads}. */
    static int[] owners(int workerThreads) {
        int[] owners = new int[SHARDS];
        for (int workerThread = 0; workerThread < workerThreads; workerThread++) {
            Arrays.fill(
                    owners, first(workerThread, workerThreads), first(workerThread + 1, workerThreads), workerThread);
        }
        return owners;
    }

    private static int first(int workerThread, int workerThreads) {
        return workerThread * SHARDS / workerThreads;
    }
}
