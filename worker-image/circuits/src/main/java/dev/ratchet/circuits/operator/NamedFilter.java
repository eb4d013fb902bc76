/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter under a name that its author gives. */
record NamedFilter(String description, RowFilter function) implements RowFilter, NamedByAuthor {

    NamedFilter {
        NamedByAuthor.check(description);
    }

    @Override
    public boolean test(RowView row) {
        return function.test(row);
    }

    @Override
    public RowFilter forThread() {
        RowFilter own = function.forThread();
        return own == function ? this : new NamedFilter(description, own);
    }

    @Override
    public boolean isTotal() {
        return function.isTotal();
    }

    @Override
    public List<AtMost> atMost() {
        return function.atMost();
    }

    @Override
    public List<Monotone> following() {
        return function.following();
    }

    @Override
    public @Nullable BitSet columnsRead() {
        return function.columnsRead();
    }

    @Override
    @SuppressWarnings("ReturnsNullCollection") // As the function says.
    public int @Nullable [] columnsPresent() {
        return function.columnsPresent();
    }
}
