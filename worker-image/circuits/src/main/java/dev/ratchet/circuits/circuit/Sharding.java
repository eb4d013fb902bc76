/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRange;
import java.util.Arrays;

/**
 * Which worker thread owns which hashes, and in which process it runs: threads are numbered through all processes,
 * those of one process one after the other. The shards of a thread are a run, as equal as they can be, so that every
 * worker thread is one slice of every batch. Immutable.
 */
public final class Sharding {

    /** A power of two; more worker threads would leave some idle. */
    public static final int SHARDS = 1024;

    /** In all processes together. */
    public static final int WORKER_THREADS_MAX = 256;

    private final int[] owners = new int[SHARDS];
    private final int threadsOfProcess;
    private final int process;
    private final int processes;

    private Sharding(int threadsOfProcess, int process, int processes) {
        this.threadsOfProcess = threadsOfProcess;
        this.process = process;
        this.processes = processes;
        for (int thread = 0; thread < threads(); thread++) {
            Arrays.fill(owners, firstShard(thread), firstShard(thread + 1), thread);
        }
    }

    /** Equal shares for so many threads in each of some processes, as one of these sees it. */
    static Sharding equal(int threadsOfProcess, CircuitPeers peers) {
        return new Sharding(threadsOfProcess, peers.self(), peers.count());
    }

    /** Worker threads of all processes. */
    int threads() {
        return threadsOfProcess * processes;
    }

    int processes() {
        return processes;
    }

    /** Worker threads of this process. */
    int threadsHere() {
        return threadsOfProcess;
    }

    /** The first worker thread of this process. */
    int firstHere() {
        return process * threadsOfProcess;
    }

    boolean isHere(int thread) {
        return processOf(thread) == process;
    }

    int processOf(int thread) {
        return thread / threadsOfProcess;
    }

    /** The number of a thread among those of its process. */
    int numberInProcess(int thread) {
        return thread % threadsOfProcess;
    }

    /** The hashes of a worker thread. */
    HashRange range(int thread) {
        return HashRange.ofShards(firstShard(thread), firstShard(thread + 1), SHARDS);
    }

    /** The worker thread of each shard; not to be changed. */
    int[] owners() {
        return owners;
    }

    private int firstShard(int thread) {
        return thread * SHARDS / threads();
    }
}
