/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.DigestRecord;
import org.jspecify.annotations.Nullable;

/** Reads what processes put out in steps before. Safe for use by several threads. */
final class DigestReader {

    private static final long TIMEOUT_MILLIS = 10_000;

    private final DataflowStore store;

    DigestReader(DataflowStore store) {
        this.store = store;
    }

    /** What a process put out in a step; null where nobody has noted it. Blocks. */
    @Nullable
    DigestRecord read(long step, int process) {
        return store.digests().decodeOrNull(store.database().read(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            return transaction.get(store.digests().key(step, process)).join();
        }));
    }
}
