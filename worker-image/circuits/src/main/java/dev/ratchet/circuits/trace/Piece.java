/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.StoredAt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a trace, and the fragments whose sum it is. Where they are too many, or larger together than what is left
 * of them, they are replaced by one.
 *
 * @param batch never empty
 */
record Piece(Batch batch, List<Fragment> fragments) {

    /** Files that one batch is read from after a restart; more are written as one. */
    private static final int FRAGMENTS_MAX = 16;

    private static final int GARBAGE_FACTOR = 2;

    static Piece of(Batch batch) {
        return new Piece(batch, List.of(inFile(batch)));
    }

    private static Fragment inFile(Batch batch) {
        StoredAt place = batch.storedAt();
        return place != null && batch.isWhole()
                ? Fragment.of(new Fragment.Stored(place, batch.rowCount(), HashRange.ALL))
                : Fragment.fresh(batch);
    }

    /** What a merge made of other pieces. */
    static Piece merged(Batch result, List<Piece> inputs) {
        if (result.storedAt() != null) {
            return of(result);
        }
        List<Fragment> all = new ArrayList<>();
        inputs.forEach(input -> all.addAll(input.fragments));
        List<Fragment> frozen = all.stream().filter(Fragment::isFrozen).toList();
        if (frozen.isEmpty()) {
            return new Piece(result, List.of(Fragment.fresh(result)));
        }
        long bytes = frozen.stream().mapToLong(Fragment::bytes).sum();
        return frozen.size() > FRAGMENTS_MAX || bytes > GARBAGE_FACTOR * result.byteCount()
                ? new Piece(result, List.of(Fragment.rewritten(result)))
                : new Piece(result, all);
    }

    @Nullable
    Piece slice(HashRange range) {
        Batch rows = batch.slice(range);
        if (rows.isEmpty()) {
            return null;
        }
        List<Fragment> slices = new ArrayList<>();
        for (Fragment fragment : fragments) {
            Fragment slice = fragment.slice(range);
            if (slice != null) {
                slices.add(slice);
            }
        }
        return new Piece(rows, slices);
    }
}
