/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expander under a name that its author gives. */
record NamedExpander(String description, RowExpander function) implements RowExpander, NamedByAuthor {

    NamedExpander {
        NamedByAuthor.check(description);
    }

    @Override
    public void expand(RowView row, RowOutput out) {
        function.expand(row, out);
    }

    @Override
    public RowExpander forThread() {
        RowExpander own = function.forThread();
        return own == function ? this : new NamedExpander(description, own);
    }

    @Override
    public List<Monotone> monotone() {
        return function.monotone();
    }

    @Override
    public @Nullable BitSet columnsRead() {
        return function.columnsRead();
    }
}
