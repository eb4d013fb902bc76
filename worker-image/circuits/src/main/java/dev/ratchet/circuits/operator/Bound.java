/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.circuit.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A value below which a column will not come any more (but NULL may), as it follows from watermarks of tables: the
 * smallest of some functions of them.
 */
public record Bound(List<Part> parts) {

    /** A rising function of the watermark of a table. */
    public record Part(int table, LongUnaryOperator function) {}

    public Bound {
        parts = List.copyOf(parts);
    }

    /** The watermark of a table itself. */
    public static Bound of(int table) {
        return new Bound(List.of(new Part(table, LongUnaryOperator.identity())));
    }

    /** What follows for a column that rises with this one. */
    public Bound map(LongUnaryOperator function) {
        return new Bound(parts.stream()
                .map(part -> new Part(part.table(), part.function().andThen(function)))
                .toList());
    }

    /** The bound of a column that comes from either. */
    public Bound or(Bound other) {
        List<Part> both = new ArrayList<>(parts);
        both.addAll(other.parts);
        return new Bound(both);
    }

    long value(Watermarks watermarks) {
        long least = Long.MAX_VALUE;
        for (Part part : parts) {
            long watermark = watermarks.of(part.table());
            long value =
                    watermark == Long.MIN_VALUE ? watermark : part.function().applyAsLong(watermark);
            least = Math.min(least, value);
        }
        return least;
    }
}
