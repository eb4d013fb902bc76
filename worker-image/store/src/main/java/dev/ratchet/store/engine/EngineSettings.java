/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.Limits;

/**
 * How an engine is set up.
 *
 * @param windowVersions how long a version stays readable, in versions: a million of them are a second
 * @param windowBytesMax what the versions of the window may cost in memory; at the bound the window shrinks, and older
 *     readers get 1007. A quarter as much is for telling conflicts, at which older commits get 1007
 * @param pendingBytesMax how much may wait to become durable, in bytes, before commits wait in their queue
 * @param dataBytesMax what the data of a store in a directory may take in memory, in bytes: the rest is on the disk
 *     alone. Without a directory all data are in memory
 */
public record EngineSettings(long windowVersions, long windowBytesMax, long pendingBytesMax, long dataBytesMax) {

    /** With less memory for data a store would write pages all the time. */
    public static final long DATA_BYTES_MIN = 8L << 20;

    private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

    /** A window of 5 s within 256 MB or an eighth of the heap, and half of the heap for data. */
    public static final EngineSettings DEFAULT =
            new EngineSettings(Limits.WINDOW_VERSIONS, Math.min(256L << 20, HEAP_BYTES / 8), 64L << 20, HEAP_BYTES / 2);

    /**
     * The same with another limit for data.
     *
     * @throws IllegalArgumentException if it is below {@link #DATA_BYTES_MIN}
     */
    public EngineSettings withDataBytesMax(long bytes) {
        if (bytes < DATA_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "A store needs at least " + DATA_BYTES_MIN + " bytes of memory for data; " + bytes + " were given");
        }
        return new EngineSettings(windowVersions, windowBytesMax, pendingBytesMax, bytes);
    }
}
