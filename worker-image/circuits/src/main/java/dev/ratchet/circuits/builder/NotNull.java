/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows that have no NULL in some columns. */
record NotNull(int[] columns) implements RowFilter {

    @Override
    public boolean test(RowView row) {
        for (int column : columns) {
            if (row.isNull(column)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public BitSet columnsRead() {
        BitSet read = new BitSet();
        IntStream.of(columns).forEach(read::set);
        return read;
    }

    @Override
    public int[] columnsPresent() {
        return columns.clone();
    }

    @Override
    public String text() {
        return IntStream.of(columns)
                .mapToObj(column -> ShownSql.column(column) + " IS NOT NULL")
                .collect(Collectors.joining(" AND "));
    }

    @Override
    public String description() {
        return "no NULL in " + Arrays.toString(columns);
    }
}
