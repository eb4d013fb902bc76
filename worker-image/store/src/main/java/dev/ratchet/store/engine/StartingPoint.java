/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.RequestId;
import java.util.Map;

/**
 * The state that an engine begins with, empty or recovered.
 *
 * @param version of the data; the first commit gets a higher one
 * @param outcomes named commits that somebody may still ask for
 */
public record StartingPoint(long version, OrderedTree<byte[]> data, Map<RequestId, CommitOutcome> outcomes) {

    /** An empty database. */
    public static StartingPoint empty() {
        return new StartingPoint(1_000_000, OrderedTree.empty(StartingPoint::weigh), Map.of());
    }

    /** What an entry counts for in sizes of ranges: its bytes. */
    public static long weigh(byte[] key, byte[] value) {
        return (long) key.length + value.length;
    }
}
