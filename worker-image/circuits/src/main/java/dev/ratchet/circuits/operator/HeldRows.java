/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.batch.WriteBuffer;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an arrangement holds in front of its trace: rows that came lately, for readers that look up keys. New ones go
 * into one set; when it is full it leaves and another takes its place. What leaves is sorted, summed and encoded in
 * pieces, and goes into the trace when it is a batch: each row that comes, and each {@value #BYTES_OF_SHARE} bytes, pay
 * {@value #WORK_OF_SHARE} steps of that and {@value #MERGED_OF_SHARE} rows of each merge in the trace. So a set has
 * left before the next is full, and no step does more than its share. One thread at a time.
 */
final class HeldRows implements Trace.Front {

    /** A row takes seven steps to leave, so that a set has left before as many have come. */
    static final int WORK_OF_SHARE = 8;

    /** Sets are of about one size: sixteen of them pay for the merge of the sixteen before. */
    static final int MERGED_OF_SHARE = 4;

    static final int BYTES_OF_SHARE = 128;

    private final Trace trace;
    private final @Nullable RowPredicate kept;
    private final CacheShares cache;
    private final int depthMax;
    private final List<WriteBuffer> all = new ArrayList<>();

    /** Where new rows go; null once a key had too many, from when on they go into the trace at once. */
    private @Nullable WriteBuffer coming;

    /** A set that has left, with its room. */
    private @Nullable WriteBuffer spare;

    /**
     * Holds nothing yet.
     *
     * @param kept rows that fail it need not be kept; null for none
     * @param depthMax where a key has more rows than that, readers are better off with the order of the trace
     */
    HeldRows(Trace trace, @Nullable RowPredicate kept, CacheShares cache, int depthMax) {
        this.trace = trace;
        this.kept = kept;
        this.cache = cache;
        this.depthMax = depthMax;
        WriteBuffer first = new WriteBuffer(trace.schema());
        coming = first;
        all.add(first);
        cache.add();
    }

    /** The sets that rows are to be looked up in; those that leave come first. */
    List<WriteBuffer> sets() {
        return all;
    }

    /** Whether rows still come. */
    boolean isHolding() {
        return coming != null;
    }

    /**
     * Adds the change of an operator.
     *
     * @return whether it was; otherwise the rows are to go into the trace
     */
    boolean add(Operator input) {
        UnconsolidatedRows unconsolidated = input.unconsolidatedOutput();
        long more = unconsolidated == null ? input.output().rowCount() : unconsolidated.rowCount();
        WriteBuffer target = coming;
        if (target == null || !WriteBuffer.isFew(more)) {
            pay(more);
            return false;
        }
        if (all.size() == 1 && target.isFull(cache.bytesOfOne())) {
            target = exchange(target);
        }
        long bytes = target.byteCount();
        if (unconsolidated == null) {
            target.addAll(input.output());
        } else {
            target.addAll(unconsolidated);
        }
        boolean isShallow = target.depth() <= depthMax;
        if (!isShallow) {
            target.leaveBeforeStep(kept);
            coming = null;
        }
        pay(more + (target.byteCount() - bytes) / BYTES_OF_SHARE);
        return isShallow;
    }

    private WriteBuffer exchange(WriteBuffer full) {
        full.leave(kept);
        WriteBuffer next = spare == null ? new WriteBuffer(trace.schema()) : spare;
        spare = null;
        coming = next;
        all.add(next);
        return next;
    }

    private void pay(long shares) {
        WriteBuffer first = all.isEmpty() ? null : all.getFirst();
        if (first != null && first != coming && first.work(WORK_OF_SHARE * shares)) {
            all.removeFirst();
            trace.place(first.taken());
            spare = coming == null ? null : first;
        }
        trace.work(MERGED_OF_SHARE * shares);
    }

    /** Makes what is there what was before the next step. */
    void endStep() {
        WriteBuffer target = coming;
        if (target != null) {
            target.endStep();
        }
    }

    @Override
    public void settle() {
        for (WriteBuffer set : List.copyOf(all)) {
            if (set == coming) {
                if (set.isEmpty()) {
                    continue;
                }
                set.leave(kept);
            } else {
                all.remove(set);
            }
            set.work(Long.MAX_VALUE);
            trace.insert(set.taken());
        }
    }

    @Override
    public void forget() {
        // They are no copies.
    }

    @Override
    public long heldRows() {
        return all.stream().mapToLong(set -> set.count(kept)).sum();
    }

    @Override
    public long heldBytes() {
        return all.stream().mapToLong(WriteBuffer::byteCount).sum();
    }
}
