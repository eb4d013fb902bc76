/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt at a task wants to change in the store together with its result, and what it has read for that.
 * Immutable.
 *
 * @param clears ranges that are cleared before anything is written
 */
public record Effects(List<Entry> reads, List<Entry> writes, List<Range> clears) {

    /** None. */
    public static final Effects NONE = new Effects(List.of(), List.of());

    /** A key with its value; null: absent. Whole keys of the store. */
    public record Entry(byte[] key, byte @Nullable [] value) {}

    /** What clears no ranges. */
    public Effects(List<Entry> reads, List<Entry> writes) {
        this(reads, writes, List.of());
    }

    public Effects {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        clears = List.copyOf(clears);
    }

    /** Whether there is nothing to change and nothing that must hold. */
    public boolean isEmpty() {
        return reads.isEmpty() && writes.isEmpty() && clears.isEmpty();
    }

    /** These and those. */
    public Effects and(Effects others) {
        if (isEmpty() || others.isEmpty()) {
            return isEmpty() ? others : this;
        }
        List<Entry> allReads = new ArrayList<>(reads);
        allReads.addAll(others.reads());
        List<Entry> allWrites = new ArrayList<>(writes);
        allWrites.addAll(others.writes());
        List<Range> allClears = new ArrayList<>(clears);
        allClears.addAll(others.clears());
        return new Effects(allReads, allWrites, allClears);
    }

    /** Whether everything that was read is as it was; it stays so until the transaction commits. */
    public CompletableFuture<Boolean> hold(Transaction transaction) {
        List<CompletableFuture<Boolean>> held = reads.stream()
                .map(read -> transaction.get(read.key()).thenApply(value -> Arrays.equals(value, read.value())))
                .toList();
        return AsyncUtil.whenAll(held).thenApply(unused -> held.stream().allMatch(CompletableFuture::join));
    }

    /** Makes the changes. */
    public void apply(Transaction transaction) {
        for (Range range : clears) {
            transaction.clear(range);
        }
        for (Entry write : writes) {
            byte[] value = write.value();
            if (value == null) {
                transaction.clear(write.key());
            } else {
                transaction.set(write.key(), value);
            }
        }
    }
}
