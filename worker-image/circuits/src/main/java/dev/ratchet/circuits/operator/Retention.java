/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.circuit.Watermarks;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must be remembered of a stream: a row is kept as long as one of the readers may still come to it. A reader that
 * names no bounded column may come to any row at any time. Readers are added while the program is built.
 */
public final class Retention {

    private record Reader(int column, Bound bound) {}

    private final List<Reader> readers = new ArrayList<>();
    private boolean forever;

    /** Adds a reader that may come to any row. */
    public void keepForever() {
        forever = true;
    }

    /** Adds a reader that comes to no row in which a column is below a bound. */
    public void keepFrom(int column, Bound bound) {
        readers.add(new Reader(column, bound));
    }

    /** Whether rows are let go at all. */
    boolean isBounded() {
        return !forever && !readers.isEmpty();
    }

    /** For people: by which columns rows are let go, behind what else is said of an operator; empty for not at all. */
    String text() {
        String columns = readers.stream()
                .map(reader -> ShownSql.column(reader.column()))
                .distinct()
                .collect(Collectors.joining(", "));
        return isBounded() ? "; forgets what is behind the watermark by " + columns : "";
    }

    /** Lets a trace of one worker thread go of what no reader comes to. */
    Kept of(Trace trace, Watermarks watermarks) {
        Kept kept = new Kept(isBounded() ? readers : List.of(), watermarks);
        kept.advance();
        kept.limit(trace);
        return kept;
    }

    /** Decides about rows by the bounds as they were when it was last brought up to date. */
    static final class Kept implements RowPredicate {
        private final List<Reader> readers;
        private final Watermarks watermarks;
        private final long[] bounds;

        private Kept(List<Reader> readers, Watermarks watermarks) {
            this.readers = List.copyOf(readers);
            this.watermarks = watermarks;
            this.bounds = new long[readers.size()];
            Arrays.fill(bounds, Long.MIN_VALUE);
        }

        /** Follows the watermarks, before a step is computed. */
        void advance() {
            for (int i = 0; i < bounds.length; i++) {
                bounds[i] = Math.max(bounds[i], readers.get(i).bound().value(watermarks));
            }
        }

        /** Lets a trace with the same key go of the same rows. */
        void limit(Trace trace) {
            RowPredicate predicate = predicate();
            if (predicate != null) {
                trace.retain(predicate);
            }
        }

        /** What decides; null where all rows are kept. */
        @Nullable
        RowPredicate predicate() {
            return readers.isEmpty() ? null : this;
        }

        /** What decides by the bounds as they are now, also later and in another thread; null where all are kept. */
        @Nullable
        RowPredicate now() {
            Kept now = new Kept(readers, watermarks);
            System.arraycopy(bounds, 0, now.bounds, 0, bounds.length);
            return now.predicate();
        }

        @Override
        public boolean test(RowView row) {
            for (int i = 0; i < bounds.length; i++) {
                int column = readers.get(i).column();
                if (row.isNull(column) || row.longAt(column) >= bounds[i]) {
                    return true;
                }
            }
            return readers.isEmpty();
        }
    }
}
