/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

/**
 * What a cluster consists of.
 *
 * @param workers how many
 * @param threads slots of each
 * @param heapMegabytes heap of each, or 0: as much as this process
 * @param objectMegabytes memory of each for results; sixteen times as much goes to disk
 */
record Shape(int workers, int threads, int heapMegabytes, int objectMegabytes) {

    private static final int THREADS = 2;
    /** Of all workers together; up to two have as much as this process. */
    private static final int HEAP_MEGABYTES = 8 << 10;

    private static final int OBJECT_MEGABYTES = 1 << 10;

    /** What most rows are measured on. */
    static Shape of(int workers) {
        return new Shape(workers, THREADS, workers > 2 ? HEAP_MEGABYTES / workers : 0, OBJECT_MEGABYTES);
    }
}
