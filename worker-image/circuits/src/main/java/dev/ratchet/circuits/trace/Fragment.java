/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.StoredAt;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a trace as they lie in a file, or as the next commit is to write them; the sum of a trace's fragments is the
 * trace. Merges in memory make new batches of old rows, their fragments stay: so a commit writes what came in since the
 * last one and not what was merged. The thread of the trace reads and slices; {@link #stored} may come from another.
 */
public final class Fragment {

    private final HashRange range;
    private final boolean rewritten;
    private final long bytes;
    private volatile @Nullable Batch batch;
    private volatile @Nullable DeferredBatch deferred;
    private volatile @Nullable Stored stored;
    private boolean frozen;

    /**
     * Where a fragment lies.
     *
     * @param at the region of the file that holds a batch
     * @param rows of that batch
     * @param range the part of it that counts
     */
    public record Stored(StoredAt at, long rows, HashRange range) {}

    private Fragment(@Nullable Batch batch, @Nullable Stored stored, HashRange range, long bytes, boolean rewritten) {
        this.batch = batch;
        this.stored = stored;
        this.range = range;
        this.bytes = bytes;
        this.rewritten = rewritten;
        this.frozen = stored != null;
    }

    /** Rows that lie in a file. */
    public static Fragment of(Stored stored) {
        return new Fragment(null, stored, stored.range(), stored.at().length(), false);
    }

    /** Rows that came in and are in memory alone. */
    public static Fragment fresh(Batch batch) {
        return new Fragment(batch, null, HashRange.ALL, batch.byteCount(), false);
    }

    /** Rows that came in, of which whoever needs the batch makes it. */
    static Fragment deferred(DeferredBatch rows) {
        Fragment fragment = new Fragment(null, null, HashRange.ALL, 0, false);
        fragment.deferred = rows;
        return fragment;
    }

    /** Rows that lie in files already, in so many pieces that they are to be written again as one. */
    static Fragment rewritten(Batch batch) {
        return new Fragment(batch, null, HashRange.ALL, batch.byteCount(), true);
    }

    /** Where the hashes of its rows lie, as far as it is known. */
    public HashRange range() {
        return range;
    }

    /** The part of it with hashes in a range; null where there is none. */
    public @Nullable Fragment slice(HashRange wanted) {
        HashRange both = range.intersect(wanted);
        if (both == null || both.equals(range)) {
            return both == null ? null : this;
        }
        Stored place = stored;
        if (place != null) {
            return of(new Stored(place.at(), place.rows(), both));
        }
        Batch slice = rows().slice(both);
        return slice.isEmpty() ? null : new Fragment(slice, null, HashRange.ALL, slice.byteCount(), rewritten);
    }

    /** Where it lies; null as long as it is in memory alone. */
    public @Nullable Stored place() {
        return stored;
    }

    /** What is to be written; called only while {@link #place} is null. */
    public Batch rows() {
        Batch rows = batch;
        DeferredBatch later = deferred;
        if (rows == null && later != null) {
            return later.get();
        }
        if (rows == null) {
            throw new IllegalStateException("The rows of a fragment that was stored are in its file");
        }
        return rows;
    }

    /** Whether writing it repeats rows that were written before, as merges do. */
    public boolean isRewritten() {
        return rewritten;
    }

    /** Says that a commit is about to write it: merges from here on leave it as it is. */
    public void freeze() {
        frozen = true;
    }

    /** Says where it was written. */
    public void store(StoredAt at, long rows) {
        stored = new Stored(at, rows, HashRange.ALL);
        batch = null;
        deferred = null;
    }

    boolean isFrozen() {
        return frozen;
    }

    long bytes() {
        DeferredBatch later = deferred;
        Stored place = stored;
        return bytes > 0
                ? bytes
                : later != null
                        ? later.get().byteCount()
                        : place != null ? place.at().length() : 0;
    }
}
