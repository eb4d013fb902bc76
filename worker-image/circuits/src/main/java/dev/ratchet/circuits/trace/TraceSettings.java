/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.BatchSpill;
import org.jspecify.annotations.Nullable;

/**
 * Where a trace keeps its batches.
 *
 * @param spill takes batches that are too large for memory; null keeps all in memory
 * @param spillBytes from which on a batch goes into a file
 */
public record TraceSettings(@Nullable BatchSpill spill, long spillBytes) {

    /** Ten megabytes: large enough for few files, small enough that memory is bounded by levels. */
    public static final long SPILL_BYTES_DEFAULT = 10L << 20;

    /** Everything in memory. */
    public static final TraceSettings IN_MEMORY = new TraceSettings(null, Long.MAX_VALUE);
}
