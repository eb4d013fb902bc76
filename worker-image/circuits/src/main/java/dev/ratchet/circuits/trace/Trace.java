/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.BatchSpill;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.StoredAt;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sum of all batches inserted: what an integral, a join side or an aggregate remembers. Batches lie in levels by
 * their number of rows, level <i>l</i> from {@value #FAN_IN}<sup>l</sup> on. Where {@value #FAN_IN} wait in a level
 * they are merged into one.
 *
 * <p>Merges are paid for by what comes in: a row inserted pays {@value #WORK_PER_ROW} rows of each merge. A merge in
 * level <i>l</i> writes at most 4·4<sup>l+1</sup> rows; until four more batches wait there, at least 4·4<sup>l</sup>
 * rows came in and paid for 16·4<sup>l</sup>. So no level holds more than twice the fan-in, a row is rewritten once per
 * level, and an insertion never pauses for more than its own share. {@link #work} does the same in idle time.
 *
 * <p>What a cursor shows depends on the rows alone, whatever was merged, spilled or let go (laws L29 and L30). One
 * thread at a time; the batches themselves may be read by others.
 */
public final class Trace {

    static final int FAN_IN = 4;
    static final int WORK_PER_ROW = 4;
    private static final int INPUTS_MAX = 16;
    private static final int LEVELS = 32;
    private static final int REWRITE_ROWS_MIN = 1024;

    private final RowSchema schema;
    private final TraceSettings settings;
    private final Level[] levels = new Level[LEVELS];
    private @Nullable RowPredicate kept;
    private long rowsInserted;
    private long rowsMerged;
    private long bytesSpilled;
    private long rewrittenAt;

    public Trace(RowSchema schema, TraceSettings settings) {
        this.schema = schema;
        this.settings = settings;
        for (int level = 0; level < LEVELS; level++) {
            levels[level] = new Level();
        }
    }

    public RowSchema schema() {
        return schema;
    }

    /** Adds a batch of the trace's schema, and does the share of merging that it pays for. */
    public void insert(Batch batch) {
        if (!batch.schema().equals(schema)) {
            throw new IllegalArgumentException(
                    "A batch of " + batch.schema() + " for a trace of " + schema + "; the two must be equal");
        }
        if (batch.isEmpty()) {
            return;
        }
        rowsInserted += batch.rowCount();
        place(spillIfLarge(batch));
        rewriteWhereDue();
        work(WORK_PER_ROW * batch.rowCount());
    }

    /** Takes in batches as they are, without merging: those of a committed version, or of shards that arrive. */
    public void restore(List<Batch> batches) {
        for (Batch batch : batches) {
            if (!batch.isEmpty()) {
                levels[levelOf(batch)].waiting.add(batch);
            }
        }
    }

    /** A cursor on the first row of the sum; it stays right until the next change of the trace. */
    public MergedCursor cursor() {
        return new MergedCursor(batches(), kept);
    }

    /** As {@link #cursor}, but on no row until its first seek. */
    public MergedCursor probe() {
        return MergedCursor.probe(batches(), kept);
    }

    /** The batches whose sum this is, immutable, in no order; their files stay until the state is next committed. */
    public List<Batch> batches() {
        List<Batch> batches = new ArrayList<>();
        for (Level level : levels) {
            batches.addAll(level.merging);
            batches.addAll(level.waiting);
        }
        return batches;
    }

    /**
     * Lets go of rows: those that fail the predicate are gone at once for cursors, and from memory and files as merges
     * pass them. A row that failed once must fail for ever.
     */
    public void retain(RowPredicate predicate) {
        kept = predicate;
    }

    /** Lets go of all rows with hashes in a range, as when its shards have moved away. Copies nothing. */
    public void drop(HashRange range) {
        List<Batch> rest = new ArrayList<>();
        for (Level level : levels) {
            level.abandon();
            for (Batch batch : level.take(Integer.MAX_VALUE)) {
                if (range.first() != 0) {
                    rest.add(batch.slice(new HashRange(0, range.first() - 1)));
                }
                if (range.last() != -1L) {
                    rest.add(batch.slice(new HashRange(range.last() + 1, -1L)));
                }
            }
        }
        restore(rest);
    }

    /**
     * Merges up to this many rows in each level.
     *
     * @return whether nothing is left to merge
     */
    public boolean work(long rows) {
        boolean idle = true;
        for (Level level : levels) {
            startWhereDue(level);
            BatchMerge merge = level.merge;
            if (merge == null) {
                continue;
            }
            long before = merge.rowsWritten();
            boolean complete = merge.work(rows);
            rowsMerged += merge.rowsWritten() - before;
            if (complete) {
                finish(level, merge);
            }
            idle &= complete;
        }
        return idle;
    }

    public TraceStatistics statistics() {
        long rows = 0;
        long memory = 0;
        long stored = 0;
        List<Batch> batches = batches();
        for (Batch batch : batches) {
            rows += batch.rowCount();
            if (batch.storedAt() == null) {
                memory += batch.byteCount();
            } else {
                stored += batch.byteCount();
            }
        }
        return new TraceStatistics(rows, batches.size(), memory, stored, rowsInserted, rowsMerged, bytesSpilled);
    }

    /** Batches of the fullest level, those being merged included. */
    int fullest() {
        int most = 0;
        for (Level level : levels) {
            most = Math.max(most, level.merging.size() + level.waiting.size());
        }
        return most;
    }

    private static int levelOf(Batch batch) {
        return (63 - Long.numberOfLeadingZeros(batch.rowCount())) / 2;
    }

    private void place(Batch batch) {
        Level level = levels[levelOf(batch)];
        level.waiting.add(batch);
        startWhereDue(level);
    }

    private void startWhereDue(Level level) {
        if (level.merge == null && level.waiting.size() >= FAN_IN) {
            start(level);
        }
    }

    private void start(Level level) {
        level.merging = level.take(INPUTS_MAX);
        long bytes = level.merging.stream().mapToLong(Batch::byteCount).sum();
        BatchSpill spill = settings.spill();
        level.merge = spill != null && bytes >= settings.spillBytes()
                ? BatchMerge.spilling(schema, level.merging, kept, spill)
                : new BatchMerge(schema, level.merging, kept);
    }

    private void finish(Level level, BatchMerge merge) {
        Batch result = merge.result();
        List<Batch> inputs = level.merging;
        level.merging = List.of();
        level.merge = null;
        inputs.forEach(this::discard);
        if (result.storedAt() != null) {
            bytesSpilled += result.byteCount();
        }
        if (result.isEmpty()) {
            discard(result);
        } else {
            place(result);
        }
    }

    private void discard(Batch batch) {
        StoredAt place = batch.storedAt();
        BatchSpill spill = settings.spill();
        if (place != null && spill != null) {
            BatchFormat.release(batch);
            spill.discard(place.file());
        }
    }

    private Batch spillIfLarge(Batch batch) {
        BatchSpill spill = settings.spill();
        if (spill == null || batch.storedAt() != null || batch.byteCount() < settings.spillBytes()) {
            return batch;
        }
        BatchMerge copy = BatchMerge.spilling(schema, List.of(batch), kept, spill);
        copy.work(Long.MAX_VALUE);
        Batch stored = copy.result();
        bytesSpilled += stored.byteCount();
        return stored;
    }

    /**
     * Rows let go in batches that no merge passes would stay: once as much came in as is stored, the largest level is
     * rewritten.
     */
    private void rewriteWhereDue() {
        if (kept == null || rowsInserted - rewrittenAt < REWRITE_ROWS_MIN) {
            return;
        }
        for (int i = LEVELS - 1; i >= 0; i--) {
            Level level = levels[i];
            if (level.merge != null) {
                return;
            }
            if (!level.waiting.isEmpty()) {
                long rows = level.waiting.stream().mapToLong(Batch::rowCount).sum();
                if (rowsInserted - rewrittenAt >= rows) {
                    start(level);
                    rewrittenAt = rowsInserted;
                }
                return;
            }
        }
    }
}
