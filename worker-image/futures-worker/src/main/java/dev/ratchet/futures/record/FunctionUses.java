/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;

/** How many futures and sessions name a function: it is kept while any does. */
public final class FunctionUses {

    private FunctionUses() {}

    /** Counts; a function that may have no use any more is looked at later. */
    public static void add(Transaction transaction, FutureKeys keys, ByteString function, long delta) {
        byte[] key = keys.functionUses.key((Object) function.toByteArray());
        if (delta != 0) {
            transaction.mutate(MutationType.ADD, key, keys.counts.encode(delta));
        }
        if (delta < 0) {
            transaction.mutate(MutationType.COMPARE_AND_CLEAR, key, keys.functionUses.encode(0L));
            UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, function.toByteArray());
        }
    }
}
