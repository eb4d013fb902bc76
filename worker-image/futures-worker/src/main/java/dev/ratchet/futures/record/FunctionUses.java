/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** How many futures and sessions name a function: it is kept while any does. */
public final class FunctionUses {

    private FunctionUses() {}

    /** Whether anything names a function. */
    public static CompletableFuture<Boolean> any(ReadTransaction transaction, FutureKeys keys, byte[] digest) {
        return transaction.get(keys.functionUses.key((Object) digest)).thenApply(Objects::nonNull);
    }

    /** Counts; a function that may have no use any more is looked at later. */
    public static void add(Transaction transaction, FutureKeys keys, ByteString function, long delta) {
        byte[] digest = function.toByteArray();
        if (delta != 0) {
            keys.functionUses.add(transaction, delta, (Object) digest);
        }
        if (delta < 0) {
            keys.functionUses.clearIf(transaction, 0L, (Object) digest);
            UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, digest);
        }
    }
}
