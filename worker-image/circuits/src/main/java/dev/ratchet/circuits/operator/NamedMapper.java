/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mapper under a name that its author gives. */
record NamedMapper(String description, RowMapper function) implements RowMapper, NamedByAuthor {

    NamedMapper {
        NamedByAuthor.check(description);
    }

    @Override
    public void map(RowView row, RowWriter out) {
        function.map(row, out);
    }

    @Override
    public RowMapper forThread() {
        RowMapper own = function.forThread();
        return own == function ? this : new NamedMapper(description, own);
    }

    @Override
    public List<Monotone> monotone() {
        return function.monotone();
    }

    @Override
    @SuppressWarnings("ReturnsNullCollection") // As the function says.
    public int @Nullable [] columnsCopied() {
        return function.columnsCopied();
    }

    @Override
    public boolean isTotal() {
        return function.isTotal();
    }

    @Override
    public @Nullable BitSet columnsRead() {
        return function.columnsRead();
    }
}
