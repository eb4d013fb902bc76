/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one row of each row. As {@link RowFilter}, it depends on the columns of the row alone. */
@FunctionalInterface
public interface RowMapper {

    /** Sets every column of {@code out} exactly once; neither may be kept. */
    void map(RowView row, RowWriter out);

    /** As {@link RowFilter#named}. */
    static RowMapper named(String name, RowMapper mapper) {
        return new NamedMapper(name, mapper);
    }

    /** As {@link RowFilter#forThread}. */
    default RowMapper forThread() {
        return this;
    }

    /** As {@link RowFilter#description}. */
    default String description() {
        return "";
    }

    /** As {@link RowFilter#text}. */
    default String text() {
        return description();
    }

    /** Which columns of the result rise with a column of the row, so that state behind a watermark can be let go. */
    default List<Monotone> monotone() {
        return List.of();
    }

    /**
     * For each column of the result the column of the row whose value it always is, in the same storage, or -1 where
     * there is none; null where that is not known.
     */
    @SuppressWarnings("ReturnsNullCollection") // None would be a row without columns.
    default int @Nullable [] columnsCopied() {
        return null;
    }

    /** As {@link RowFilter#isTotal}. */
    default boolean isTotal() {
        return false;
    }

    /** As {@link RowFilter#columnsRead}. */
    default @Nullable BitSet columnsRead() {
        return null;
    }
}
