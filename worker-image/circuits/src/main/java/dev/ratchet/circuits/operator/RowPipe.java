/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chain of linear stages that ends in rows as they come, and of what can not be computed in errors. Belongs to one
 * operator of one worker thread.
 */
final class RowPipe implements RowSink {

    private final BatchBuilder builder;
    private final Failures failures;
    private final RowSink head;

    /** Takes what a function says of a row that it can not compute, with the weight of what is missing for it. */
    @FunctionalInterface
    interface Failures {
        void add(RuntimeException failure, long weight);
    }

    /**
     * A chain whose stages fail on no row.
     *
     * @param target schema of the batch
     */
    RowPipe(List<PipeStage> stages, RowSchema target) {
        this(stages, target, (failure, weight) -> {
            throw failure;
        });
    }

    /** A chain whose stages may fail on a row, which is left out then. */
    RowPipe(List<PipeStage> stages, RowSchema target, Failures failures) {
        this.failures = failures;
        this.builder = new BatchBuilder(target);
        RowSink sink = new Collect(builder);
        for (PipeStage stage : fused(stages).reversed()) {
            sink = sinkOf(stage, sink);
        }
        this.head = sink;
    }

    @Override
    public void push(RowView row, long weight) {
        head.push(row, weight);
    }

    /** What was pushed since it last gave rows. */
    UnconsolidatedRows give() {
        return builder.unconsolidated();
    }

    /** Projections as one with what is before them, where that is a projection or a map. */
    static List<PipeStage> fused(List<PipeStage> stages) {
        List<PipeStage> fused = new ArrayList<>();
        for (PipeStage stage : stages) {
            PipeStage both = stage instanceof PipeStage.Project next && !fused.isEmpty()
                    ? projected(fused.getLast(), next.columns())
                    : null;
            if (both != null) {
                fused.removeLast();
            }
            fused.add(both == null ? stage : both);
        }
        return fused;
    }

    private static @Nullable PipeStage projected(PipeStage stage, List<Integer> columns) {
        return switch (stage) {
            case PipeStage.Project first ->
                new PipeStage.Project(columns.stream().map(first.columns()::get).toList());
            case PipeStage.Map first -> ProjectedMapper.of(first, columns);
            default -> null;
        };
    }

    private RowSink sinkOf(PipeStage stage, RowSink next) {
        return switch (stage) {
            case PipeStage.Filter part -> {
                RowFilter filter = part.filter().forThread();
                yield (row, weight) -> {
                    boolean isIn;
                    try {
                        isIn = filter.test(row);
                    } catch (RuntimeException e) {
                        failures.add(e, weight);
                        return;
                    }
                    if (isIn) {
                        next.push(row, weight);
                    }
                };
            }
            case PipeStage.Map part -> mapSink(part.columns(), part.mapper().forThread(), next);
            case PipeStage.Expand part ->
                new Expanding(part.columns(), part.expander().forThread(), next, failures);
            case PipeStage.Project part -> {
                int[] columns =
                        part.columns().stream().mapToInt(Integer::intValue).toArray();
                MappedRow view = new MappedRow(columns, new RowBuffer(0));
                yield (row, weight) -> next.push(view.of(row), weight);
            }
            case PipeStage.Weigh part -> (row, weight) -> next.push(row, Math.multiplyExact(weight, part.factor()));
        };
    }

    private RowSink mapSink(List<ColumnType> columns, RowMapper mapper, RowSink next) {
        if (next instanceof Collect) {
            return (row, weight) -> {
                try {
                    mapper.map(row, builder);
                } catch (RuntimeException e) {
                    failures.add(e, weight);
                    return;
                }
                builder.add(weight);
            };
        }
        RowBuffer buffer = new RowBuffer(columns.size());
        return (row, weight) -> {
            try {
                mapper.map(row, buffer);
            } catch (RuntimeException e) {
                failures.add(e, weight);
                return;
            }
            next.push(buffer, weight);
        };
    }

    /** Copies rows into the batch. */
    private static final class Collect implements RowSink {
        private final BatchBuilder builder;
        private final Storage[] storages;

        Collect(BatchBuilder builder) {
            this.builder = builder;
            this.storages = builder.schema().storages();
        }

        @Override
        public void push(RowView row, long weight) {
            for (int column = 0; column < storages.length; column++) {
                builder.copy(column, storages[column], row, column);
            }
            builder.add(weight);
        }
    }

    /** Gives each expanded row the weight of the one it comes from; those in front of a failure are there. */
    private static final class Expanding implements RowSink, RowOutput {
        private final RowExpander expander;
        private final RowSink next;
        private final Failures failures;
        private final RowBuffer buffer;
        private long weight;

        /** What a row that was made has come to behind this stage, which is no fault of this one. */
        private @Nullable RuntimeException later;

        Expanding(List<ColumnType> columns, RowExpander expander, RowSink next, Failures failures) {
            this.failures = failures;
            this.expander = expander;
            this.next = next;
            this.buffer = new RowBuffer(columns.size());
        }

        @Override
        public void push(RowView row, long of) {
            weight = of;
            try {
                expander.expand(row, this);
            } catch (RuntimeException e) {
                if (e == later) {
                    throw e;
                }
                failures.add(e, weight);
            }
        }

        @Override
        public void emit() {
            try {
                next.push(buffer, weight);
            } catch (RuntimeException e) {
                later = e;
                throw e;
            }
        }

        @Override
        public void setNull(int column) {
            buffer.setNull(column);
        }

        @Override
        public void setLong(int column, long value) {
            buffer.setLong(column, value);
        }

        @Override
        public void setWide(int column, long high, long low) {
            buffer.setWide(column, high, low);
        }

        @Override
        public void setBytes(int column, byte[] source, int offset, int length) {
            buffer.setBytes(column, source, offset, length);
        }
    }
}
