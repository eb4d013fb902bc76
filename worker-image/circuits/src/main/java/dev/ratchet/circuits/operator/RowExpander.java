/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes any number of rows of each row. As {@link RowFilter}, it depends on the columns of the row alone. */
@FunctionalInterface
public interface RowExpander {

    /** For each row to make, sets every column of {@code out} exactly once and emits it. */
    void expand(RowView row, RowOutput out);

    /** As {@link RowFilter#named}. */
    static RowExpander named(String name, RowExpander expander) {
        return new NamedExpander(name, expander);
    }

    /** As {@link RowFilter#forThread}. */
    default RowExpander forThread() {
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

    /** As {@link RowFilter#columnsRead}. */
    default @Nullable BitSet columnsRead() {
        return null;
    }
}
