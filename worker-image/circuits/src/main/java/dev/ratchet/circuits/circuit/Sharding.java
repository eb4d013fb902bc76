/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.ShardMap;

/**
 * Which worker thread owns which hashes, and in which process it runs: threads are numbered through all processes,
 * those of one process one after the other. Immutable.
 */
public final class Sharding {

    /** In all processes together. */
    public static final int WORKER_THREADS_MAX = 256;

    private final ShardMap map;
    private final int threadsOfProcess;
    private final int process;
    private final int processes;

    /** @param map for as many threads in each of the processes */
    Sharding(ShardMap map, int threadsOfProcess, CircuitPeers peers) {
        this.map = map;
        this.threadsOfProcess = threadsOfProcess;
        this.process = peers.self();
        this.processes = peers.count();
    }

    ShardMap map() {
        return map;
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
}
