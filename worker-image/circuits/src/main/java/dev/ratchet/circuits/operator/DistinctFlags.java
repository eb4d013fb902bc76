/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which values of a column are there in each group, and which filters a row with the value meets: a flag for each
 * filter, and one for being there at all. Of each value it keeps how many rows it has, in all and by filter; of rows
 * that only come, the flags themselves. What it gives is the flags that changed: with weight 1 those that came, with
 * weight -1 those that went. A row that changes none costs one look into a table.
 */
public final class DistinctFlags extends Operator {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private final UnconsolidatedInput rows;
    private final boolean appendOnly;
    private final int keyCount;
    private final int filterCount;

    /** The flag of being there, where somebody asks for it. */
    private final long any;

    private final GroupStates values;
    private final Retention.Kept kept;
    private final BatchBuilder changes;
    private final Storage[] keyStorages;

    private DistinctFlags(
            RowSchema input,
            boolean appendOnly,
            boolean isAny,
            Retention retention,
            WorkerThreadContext context,
            RowSchema target,
            List<Operator> inputs) {
        super(target, inputs);
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.appendOnly = appendOnly;
        this.keyCount = input.keyCount();
        this.filterCount = input.columnCount() - keyCount;
        this.any = isAny ? 1L << filterCount : 0;
        int stateCount = appendOnly ? 1 : 1 + filterCount;
        Trace trace = context.trace("values", new RowSchema(input.key(), Collections.nCopies(stateCount, BIGINT)));
        this.kept = retention.of(trace, context.watermarks());
        RowBuffer initial = new RowBuffer(keyCount + stateCount);
        IntStream.range(keyCount, keyCount + stateCount).forEach(column -> initial.setLong(column, 0));
        this.values = new GroupStates(trace, initial, kept, context.cache());
        this.changes = new BatchBuilder(target);
        this.keyStorages = input.storages();
    }

    /**
     * Follows the values of a column.
     *
     * @param spec of the aggregate behind
     * @param retention of groups, by their columns
     * @param rows by group and value, with the filters
     */
    public static Node of(DistinctValues values, Aggregate.Spec spec, Retention retention, Node rows) {
        boolean isAny = values.isAny(spec.calls());
        RowSchema target = values.changes(spec);
        return new Node(
                        "distinct values",
                        (isAny ? "with any" : "filtered") + (spec.appendOnly() ? " of rows that only come" : ""),
                        List.of(rows),
                        target,
                        (context, inputs) -> new DistinctFlags(
                                rows.schema(), spec.appendOnly(), isAny, retention, context, target, inputs))
                .keepsState()
                .shownAs(
                        () -> text(rows.schema()) + (spec.appendOnly() ? "; keeps only flags" : "") + retention.text());
    }

    private static String text(RowSchema rows) {
        int value = rows.keyCount() - 1;
        List<Integer> group = IntStream.range(0, value).boxed().toList();
        List<Integer> filters =
                IntStream.range(rows.keyCount(), rows.columnCount()).boxed().toList();
        return ShownSql.column(value)
                + (group.isEmpty() ? "" : " BY " + ShownSql.columns(group))
                + (filters.isEmpty() ? "" : " FILTER BY " + ShownSql.columns(filters));
    }

    @Override
    protected void evaluate() {
        kept.advance();
        UnconsolidatedRows changed = rows.rows();
        GroupedRows grouped = GroupedRows.of(changed, values.find(changed));
        long[] met = met(grouped);
        if (appendOnly) {
            addFlags(grouped, met);
        } else {
            addCounts(grouped, met);
        }
        count(values.endStep());
        emit(changes.unconsolidated());
    }

    /** The flags that each row sets. */
    private long[] met(GroupedRows grouped) {
        long[] met = new long[grouped.count()];
        for (int filter = 0; filter < filterCount; filter++) {
            // TRUE is 1, and NULL 0 as FALSE.
            long[] isTrue = grouped.columns.longs(keyCount + filter);
            for (int i = 0; i < met.length; i++) {
                met[i] |= isTrue[grouped.rows[i]] << filter;
            }
        }
        for (int i = 0; i < met.length; i++) {
            met[i] |= any;
        }
        return met;
    }

    private void addFlags(GroupedRows grouped, long[] met) {
        long[] flags = values.rows().columns().longs(keyCount);
        for (int i = 0; i < met.length; i++) {
            int value = grouped.groups[i];
            long came = met[i] & ~flags[value];
            if (came != 0) {
                values.touch(value);
                flags[value] |= came;
                values.changed(value, true);
                write(grouped, i, came, 1);
            }
        }
    }

    private void addCounts(GroupedRows grouped, long[] met) {
        long[][] counts = new long[1 + filterCount][];
        for (int column = 0; column < counts.length; column++) {
            counts[column] = values.rows().columns().longs(keyCount + column);
        }
        for (int i = 0; i < met.length; i++) {
            int value = grouped.groups[i];
            long weight = grouped.weights[grouped.rows[i]];
            long before = flags(counts, value);
            values.touch(value);
            counts[0][value] = Math.addExact(counts[0][value], weight);
            boolean isThere = counts[0][value] != 0;
            for (int filter = 0; filter < filterCount; filter++) {
                long more = (met[i] >>> filter & 1) == 0 ? 0 : weight;
                counts[1 + filter][value] = Math.addExact(counts[1 + filter][value], more);
                isThere |= counts[1 + filter][value] != 0;
            }
            values.changed(value, isThere);
            long now = flags(counts, value);
            if (before != now) {
                write(grouped, i, before ^ now, weight > 0 ? 1 : -1);
            }
        }
    }

    private long flags(long[][] counts, int value) {
        if (counts[0][value] <= 0) {
            return 0;
        }
        long flags = any;
        for (int filter = 0; filter < filterCount; filter++) {
            flags |= counts[1 + filter][value] > 0 ? 1L << filter : 0;
        }
        return flags;
    }

    private void write(GroupedRows grouped, int number, long flags, long weight) {
        int row = grouped.rows[number];
        for (int column = 0; column < keyCount; column++) {
            changes.copy(column, keyStorages[column], grouped.row(row), column);
        }
        for (int flag = 0; flag <= filterCount; flag++) {
            changes.setLong(keyCount + flag, flags >>> flag & 1);
        }
        changes.add(weight);
    }
}
