/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many futures have a name, by (name, tenant, job): counted by the transactions that change their records, and
 * absent where none has it. Not safe for use by several threads.
 */
public final class NameCounts {

    private final Transaction transaction;
    private final FutureKeys keys;
    private final Map<Tuple, Long> named = new TreeMap<>();

    NameCounts(Transaction transaction, FutureKeys keys) {
        this.transaction = transaction;
        this.keys = keys;
    }

    /** Where the number of futures with this one's name is; absent if it has none. */
    public static Optional<Tuple> name(FutureRecordOrBuilder record) {
        return record.getName().isEmpty()
                ? Optional.empty()
                : Optional.of(Tuple.from(record.getName(), SchedulingSpecs.tenant(record), record.getJob()));
    }

    /** Counts a future that the store knows only before or only after. */
    void count(LoadedFuture future) {
        long delta = (long) future.futuresAfter() - future.futuresBefore();
        if (delta != 0) {
            name(future.record()).ifPresent(name -> named.merge(name, delta, Long::sum));
        }
    }

    /** Writes what was counted. */
    void finish() {
        named.forEach((name, delta) -> {
            Object[] elements = name.getItems().toArray();
            keys.named.add(transaction, delta, elements);
            if (delta < 0) {
                keys.named.clearIf(transaction, 0L, elements);
            }
        });
    }
}
