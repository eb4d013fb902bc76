/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Projection;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stages that leave the columns of unconsolidated rows where they lie: filters, as long as all rows of a step meet
 * them, and then a projection, or a map that takes texts over as they are, beside what it computes. Belongs to one
 * operator of one worker thread.
 */
final class ArrayStages {

    private final List<Tested> filters;
    private final MappedRow view;
    private final @Nullable RowMapper mapper;
    private final Projection projection;

    /** A filter over rows with some columns of others, whose numbers there are given. */
    private record Tested(RowFilter filter, int[] columns) {

        boolean areAllIn(UnconsolidatedRows rows) {
            int[] present = filter.columnsPresent();
            return present == null ? areAllTested(rows) : areAllPresent(rows, present);
        }

        private boolean areAllTested(UnconsolidatedRows rows) {
            MappedRow shown = view(columns);
            for (UnconsolidatedCursor row = rows.cursor(); row.valid(); row.next()) {
                if (!filter.test(shown.of(row))) {
                    return false;
                }
            }
            return true;
        }

        private boolean areAllPresent(UnconsolidatedRows rows, int[] present) {
            boolean isAnyNull = false;
            for (int column : present) {
                boolean[] nulls = rows.columns().nulls(columns[column]);
                for (int row = rows.from(); row < rows.from() + rows.rowCount(); row++) {
                    isAnyNull |= nulls[row];
                }
            }
            return !isAnyNull;
        }
    }

    private ArrayStages(List<Tested> filters, MappedRow view, @Nullable RowMapper mapper, Projection projection) {
        this.filters = filters;
        this.view = view;
        this.mapper = mapper;
        this.projection = projection;
    }

    /** The stages for rows of a schema, ending in another; null where they are of another kind. */
    static @Nullable ArrayStages of(List<PipeStage> all, RowSchema input, RowSchema target) {
        List<PipeStage> stages = RowPipe.fused(all);
        List<Tested> filters = new ArrayList<>();
        int[] columns = IntStream.range(0, input.columnCount()).toArray();
        for (int i = 0; i < stages.size(); i++) {
            int[] here = columns;
            switch (stages.get(i)) {
                case PipeStage.Filter stage ->
                    filters.add(new Tested(stage.filter().forThread(), here));
                case PipeStage.Project stage ->
                    columns = stage.columns().stream()
                            .mapToInt(column -> here[column])
                            .toArray();
                case PipeStage.Map stage -> {
                    int[] copied = stage.mapper().columnsCopied();
                    if (copied == null || i < stages.size() - 1 || !hasText(copied, target)) {
                        return null;
                    }
                    int[] shared = IntStream.of(copied)
                            .map(column -> column < 0 ? column : here[column])
                            .toArray();
                    return new ArrayStages(
                            filters, view(here), stage.mapper().forThread(), new Projection(target, shared));
                }
                default -> {
                    return null;
                }
            }
        }
        return new ArrayStages(filters, view(columns), null, new Projection(target, columns));
    }

    /** Whether texts are copied; single numbers are set as fast in a copy of the row. */
    private static boolean hasText(int[] copied, RowSchema target) {
        return IntStream.range(0, copied.length)
                .anyMatch(column -> copied[column] >= 0 && target.storages()[column] == Storage.BYTES);
    }

    private static MappedRow view(int[] columns) {
        return new MappedRow(columns, new RowBuffer(0));
    }

    /** What becomes of rows; null where they must be copied, or a stage fails for one. */
    @Nullable
    UnconsolidatedRows run(UnconsolidatedRows rows) {
        try {
            if (!areAllIn(rows)) {
                return null;
            }
            return mapper == null ? projection.of(rows) : projection.of(rows, this::set);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private boolean areAllIn(UnconsolidatedRows rows) {
        for (Tested filter : filters) {
            if (!filter.areAllIn(rows)) {
                return false;
            }
        }
        return true;
    }

    private void set(RowView row, RowWriter out) {
        Objects.requireNonNull(mapper).map(view.of(row), out);
    }
}
