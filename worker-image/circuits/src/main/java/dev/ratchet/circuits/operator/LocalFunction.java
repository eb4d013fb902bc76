/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.MergedCursor;
import org.jspecify.annotations.Nullable;

/**
 * A group function whose result changes only near the rows that change, so that not the whole group need be read. What
 * it gives for the rows near a change must be, before and after, all that can differ.
 */
interface LocalFunction extends GroupFunction {

    /** Whether it ever is; else every change takes the whole group. */
    default boolean isLocal() {
        return true;
    }

    /**
     * Computes the results that rows near a change may have.
     *
     * @param inputs each sought to the group; their rows are those before the change or those after
     * @param changes what changed in each input; null where nothing did
     * @return how many rows were read; under 0 where this change needs {@link #apply} on the whole group, nothing being
     *     read or given yet
     */
    long applyNear(MergedCursor[] inputs, @Nullable Change[] changes, RowSink out);
}
