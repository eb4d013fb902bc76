/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.Monotone;
import dev.ratchet.circuits.operator.RowExpander;
import dev.ratchet.circuits.operator.RowOutput;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** Gives each row once per window of one size that it lies in; windows begin every slide from an offset. */
record Hop(List<ColumnType> columns, int time, long slide, long size, long offset) implements RowExpander {

    Hop {
        if (slide <= 0 || size <= 0) {
            throw new IllegalArgumentException("Windows of size " + size + " every " + slide + "; both must be over 0");
        }
    }

    /** Whether a row may lie in several windows. */
    boolean isOverlapping() {
        return slide < size;
    }

    /** The type of the start and the end. */
    ColumnType boundType() {
        return columns.get(time).withNullable(false);
    }

    /** The same windows of rows with other columns. */
    Hop over(List<ColumnType> others, int otherTime) {
        return new Hop(others, otherTime, slide, size, offset);
    }

    /** The earliest time that lies in the same windows as this one. */
    long paneOf(long at) {
        long pane = slide;
        for (long rest = size % slide; rest != 0; ) {
            long next = pane % rest;
            pane = rest;
            rest = next;
        }
        return Math.floorDiv(at - offset, pane) * pane + offset;
    }

    @Override
    public void expand(RowView row, RowOutput out) {
        if (row.isNull(time)) {
            return;
        }
        long at = row.longAt(time);
        for (long start = Math.floorDiv(at - offset, slide) * slide + offset; start > at - size; start -= slide) {
            for (int column = 0; column < columns.size(); column++) {
                out.copy(column, columns.get(column).storage(), row, column);
            }
            out.setLong(columns.size(), start);
            out.setLong(columns.size() + 1, start + size);
            out.emit();
        }
    }

    @Override
    public List<Monotone> monotone() {
        List<Monotone> monotone = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            monotone.add(new Monotone(column, column, LongUnaryOperator.identity()));
        }
        monotone.add(new Monotone(columns.size(), time, at -> at - size < at ? at - size + 1 : Long.MIN_VALUE));
        monotone.add(new Monotone(columns.size() + 1, time, LongUnaryOperator.identity()));
        return monotone;
    }

    @Override
    public BitSet columnsRead() {
        BitSet read = new BitSet();
        read.set(0, columns.size());
        return read;
    }

    @Override
    public String text() {
        ColumnType at = columns.get(time);
        return "HOP(" + ShownSql.column(time) + ", slide " + ShownSql.distance(at, slide) + ", size "
                + ShownSql.distance(at, size) + (offset == 0 ? "" : ", from " + ShownSql.distance(at, offset)) + ")";
    }

    @Override
    public String description() {
        return "windows of " + size + " every " + slide + (offset == 0 ? "" : " from " + offset) + " by " + time;
    }
}
