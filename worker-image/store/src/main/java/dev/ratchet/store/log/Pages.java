/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.PagedTrees;

/**
 * Where the data of a store rest.
 *
 * @param files of pages
 * @param trees in them
 * @param dirtyBytesMax how much memory changes may take before they are written to pages; as much may change meanwhile
 */
record Pages(PageFiles files, PagedTrees trees, long dirtyBytesMax) {

    /** A start reads the pages that were dirty, to replay the log on them: about 50,000 of them take a second. */
    private static final long DIRTY_BYTES_MAX = 256L << 20;

    /** Splits what the data may take in memory: half may be newer than its page, half is what rests as well. */
    static Pages of(Disk disk, StoreState state, long dataBytesMax) {
        PageFiles files = new PageFiles(disk, state, dataBytesMax);
        long dirtyBytesMax = Math.min(dataBytesMax / 4, DIRTY_BYTES_MAX);
        return new Pages(files, new PagedTrees(files, dataBytesMax / 2, StartingPoint::weigh), dirtyBytesMax);
    }
}
