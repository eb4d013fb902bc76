/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.BatchSpill;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.StoredAt;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sum of all batches inserted: what an integral, a join side or an aggregate remembers. Batches lie in levels by
 * their number of rows, level <i>l</i> from {@value #FAN_IN}<sup>l</sup> on. Where {@value #FAN_IN} wait in a level
 * they are merged into one.
 *
 * <p>Merges are paid for by what comes in: a row inserted pays {@value #WORK_PER_ROW} rows of each merge. A merge in
 * level <i>l</i> writes at most 16·16<sup>l+1</sup> rows; until sixteen more batches wait there, at least
 * 16·16<sup>l</sup> rows came in and paid for 256·16<sup>l</sup>. So no level holds more than twice the fan-in, a row
 * is rewritten once per level, and an insertion never pauses for more than its own share. {@link #work} does the same
 * in idle time.
 *
 * <p>What a cursor shows depends on the rows alone, whatever was merged, spilled or let go (laws L29 and L30). One
 * thread at a time; the batches themselves may be read by others.
 */
public final class Trace {

    private static final int LEVEL_BITS = 4;

    static final int FAN_IN = 1 << LEVEL_BITS;
    static final int WORK_PER_ROW = FAN_IN;
    private static final int INPUTS_MAX = 2 * FAN_IN;
    private static final int LEVELS = 32;
    private static final int REWRITE_ROWS_MIN = 1024;

    /** Of merging that is owed, what one step pays at least, and at least which part of it. */
    private static final long DEBT_PAID_ROWS = 1 << 14;

    private static final int DEBT_PAID_BITS = 6;

    private final RowSchema schema;
    private final TraceSettings settings;
    private final Level[] levels = new Level[LEVELS];
    private @Nullable RowPredicate kept;
    private Front front = Front.NONE;

    /** Rows that are inserted when a commit has written them, or when they are needed. */
    private final List<Deferred> deferred = new ArrayList<>();

    /** Merging that rows which were deferred have not paid for yet. */
    private long debt;

    private long rowsInserted;
    private long rowsMerged;
    private long rewrittenAt;

    private record Deferred(Fragment fragment, DeferredBatch batch, long rows, long bytes) {}

    /** Holds changes of a trace back, and copies of its rows. */
    public interface Front {

        Front NONE = new Front() {
            @Override
            public void settle() {}

            @Override
            public void forget() {}

            @Override
            public long heldRows() {
                return 0;
            }

            @Override
            public long heldBytes() {
                return 0;
            }
        };

        /** Inserts all changes that were held back. */
        void settle();

        /**
         * Lets a commit have all changes that were held back: inserts them, or {@link Trace#defer}s them where nobody
         * looks for them in the trace.
         */
        default void freeze() {
            settle();
        }

        /** Forgets all copies, after {@link #settle}: the trace is about to be changed by somebody else. */
        void forget();

        /** Rows that are held back, which {@link #settle} would insert. */
        long heldRows();

        /** Bytes of memory that rows held back and copies take. */
        long heldBytes();
    }

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
        place(batch);
        work(WORK_PER_ROW * batch.rowCount());
    }

    /** As {@link #insert}, where the caller pays for merging by {@link #work}. */
    public void place(Batch batch) {
        if (!batch.schema().equals(schema)) {
            throw new IllegalArgumentException(
                    "A batch of " + batch.schema() + " for a trace of " + schema + "; the two must be equal");
        }
        if (batch.isEmpty()) {
            return;
        }
        rowsInserted += batch.rowCount();
        place(Piece.of(spillIfLarge(batch)));
        rewriteWhereDue();
    }

    /**
     * Lets whoever holds changes of the trace back insert them before somebody else reads or changes the trace as a
     * whole: a commit, an export. Its own cursors do not ask for them.
     */
    public void putBehind(Front before) {
        front = before;
    }

    /**
     * Lets rows be inserted later, by {@link #insertStored} once a commit has stored them, or by
     * {@link #insertDeferred}. Until then cursors do not show them: whoever defers knows all of them in another way.
     *
     * @param rows about
     * @param bytes about
     * @param maker makes the batch, in whichever thread needs it first
     */
    public void defer(long rows, long bytes, Supplier<Batch> maker) {
        DeferredBatch batch = new DeferredBatch(maker);
        deferred.add(new Deferred(Fragment.deferred(batch), batch, rows, bytes));
    }

    /**
     * Inserts rows that were deferred and are stored by now, and pays for a part of their merging.
     *
     * @param changed how many rows whoever defers has changed since the last call, which pay in full
     */
    public void insertStored(long changed) {
        if (!deferred.isEmpty()) {
            List<Deferred> stored = deferred.stream()
                    .filter(rows -> rows.fragment.place() != null)
                    .toList();
            stored.forEach(this::insertLate);
            deferred.removeAll(stored);
        }
        if (debt > 0) {
            long least = Math.max(DEBT_PAID_ROWS, WORK_PER_ROW * changed);
            long part = Math.min(debt, Math.max(least, debt >> DEBT_PAID_BITS));
            debt -= part;
            work(part);
        }
    }

    /** Whether rows that were deferred are not inserted yet. */
    public boolean hasDeferred() {
        return !deferred.isEmpty();
    }

    /** Inserts all rows that were deferred. */
    public void insertDeferred() {
        insertAllLate();
        if (debt > 0) {
            work(debt);
            debt = 0;
        }
    }

    private void insertAllLate() {
        deferred.forEach(this::insertLate);
        deferred.clear();
    }

    private void insertLate(Deferred rows) {
        Fragment.Stored place = rows.fragment.place();
        BatchSpill spill = settings.spill();
        Batch batch = place != null && spill != null && place.at().length() >= settings.spillBytes()
                ? BatchFormat.openLater(place.at(), spill.cache(), schema, place.rows())
                : rows.batch.get();
        if (!batch.isEmpty()) {
            rowsInserted += batch.rowCount();
            debt += WORK_PER_ROW * batch.rowCount();
            place(new Piece(batch, List.of(rows.fragment)));
        }
    }

    private void settleAndForget() {
        insertDeferred();
        front.settle();
        front.forget();
    }

    /** Takes in batches as they are, without merging, such as those of shards that arrive. */
    public void restore(List<Batch> batches) {
        settleAndForget();
        for (Batch batch : batches) {
            if (!batch.isEmpty()) {
                enqueue(Piece.of(batch));
            }
        }
    }

    /** Takes in a batch of a committed version, and where it lies. */
    public void restore(Batch batch, Fragment fragment) {
        settleAndForget();
        if (!batch.isEmpty()) {
            enqueue(new Piece(batch, List.of(fragment)));
        }
    }

    /**
     * What a commit stores so that the trace can be restored: those without a place are to be written. Their sum is the
     * trace, rows let go by {@link #retain} perhaps included.
     */
    public List<Fragment> fragments() {
        // Their merging is left to the steps: ending a version costs the same whatever has changed.
        insertAllLate();
        front.freeze();
        List<Fragment> fragments = new ArrayList<>();
        pieces().forEach(piece -> fragments.addAll(piece.fragments()));
        deferred.forEach(rows -> fragments.add(rows.fragment));
        return fragments;
    }

    /** A cursor on the first row of the sum; it stays right until the next change of the trace. */
    public MergedCursor cursor() {
        return new MergedCursor(inserted(), kept);
    }

    /** As {@link #cursor}, but on no row until its first seek. */
    public MergedCursor probe() {
        return MergedCursor.probe(inserted(), kept);
    }

    /** The batches whose sum this is, immutable, in no order; their files stay until the state is next committed. */
    public List<Batch> batches() {
        insertDeferred();
        front.settle();
        return inserted();
    }

    /** As {@link #batches}, without changes that are held back. */
    public List<Batch> inserted() {
        return pieces().stream().map(Piece::batch).toList();
    }

    /** Whether there is nothing but what may be held back in front of it. */
    public boolean isEmpty() {
        if (!deferred.isEmpty()) {
            return false;
        }
        for (Level level : levels) {
            if (!level.merging.isEmpty() || !level.waiting.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        for (Level level : levels) {
            pieces.addAll(level.merging);
            pieces.addAll(level.waiting);
        }
        return pieces;
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
        settleAndForget();
        List<Piece> all = new ArrayList<>();
        for (Level level : levels) {
            level.abandon();
            all.addAll(level.take(Integer.MAX_VALUE));
        }
        for (HashRange rest : HashRanges.of(range).complement().ranges()) {
            all.stream()
                    .map(piece -> piece.slice(rest))
                    .filter(Objects::nonNull)
                    .forEach(this::enqueue);
        }
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

    /** What there is, counted where it lies: nothing moves because it is looked at. */
    public TraceStatistics statistics() {
        long rows = front.heldRows();
        long memory = front.heldBytes();
        long stored = 0;
        for (Deferred later : deferred) {
            rows += later.rows;
            memory += later.bytes;
        }
        List<Batch> batches = inserted();
        for (Batch batch : batches) {
            rows += batch.rowCount();
            if (batch.storedAt() == null) {
                memory += batch.byteCount();
            } else {
                stored += batch.byteCount();
            }
        }
        return new TraceStatistics(rows, memory, stored, rowsMerged);
    }

    /** Batches of the fullest level, those being merged included. */
    int fullest() {
        int most = 0;
        for (Level level : levels) {
            most = Math.max(most, level.merging.size() + level.waiting.size());
        }
        return most;
    }

    private Level enqueue(Piece piece) {
        Level level = levels[(63 - Long.numberOfLeadingZeros(piece.batch().rowCount())) / LEVEL_BITS];
        level.waiting.add(piece);
        return level;
    }

    private void place(Piece piece) {
        startWhereDue(enqueue(piece));
    }

    private void startWhereDue(Level level) {
        if (level.merge == null && level.waiting.size() >= FAN_IN) {
            start(level);
        }
    }

    private void start(Level level) {
        level.merging = level.take(INPUTS_MAX);
        List<Batch> batches = level.merging.stream().map(Piece::batch).toList();
        long bytes = batches.stream().mapToLong(Batch::byteCount).sum();
        BatchSpill spill = settings.spill();
        level.merge = spill != null && bytes >= settings.spillBytes()
                ? BatchMerge.spilling(schema, batches, kept, spill)
                : new BatchMerge(schema, batches, kept);
    }

    private void finish(Level level, BatchMerge merge) {
        Batch result = merge.result();
        List<Piece> inputs = level.merging;
        level.merging = List.of();
        level.merge = null;
        inputs.forEach(input -> discard(input.batch()));
        if (result.isEmpty()) {
            discard(result);
        } else {
            place(Piece.merged(result, inputs));
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
        return copy.result();
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
                long rows = level.waiting.stream()
                        .mapToLong(piece -> piece.batch().rowCount())
                        .sum();
                if (rowsInserted - rewrittenAt >= rows) {
                    start(level);
                    rewrittenAt = rowsInserted;
                }
                return;
            }
        }
    }
}
