/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.type.RowView;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A condition inside a join, which meets pairs that are gone at the end of the step: where it fails on one, it lets the
 * pair through, to be asked again strictly about the pairs that stay.
 */
record Lenient(RowFilter condition) implements RowFilter {

    @Override
    public boolean test(RowView row) {
        try {
            return condition.test(row);
        } catch (RuntimeException e) {
            return true;
        }
    }

    @Override
    public RowFilter forThread() {
        return new Lenient(condition.forThread());
    }

    @Override
    public @Nullable BitSet columnsRead() {
        return condition.columnsRead();
    }

    @Override
    public String text() {
        return condition.text();
    }

    @Override
    public String description() {
        return condition.description();
    }
}
