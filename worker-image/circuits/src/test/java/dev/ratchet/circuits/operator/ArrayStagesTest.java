/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Beside the same stages run row by row. */
class ArrayStagesTest {

    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final RowSchema INPUT =
            RowSchema.ofKey(TEXT, ColumnType.of(TypeKind.BIGINT).orNull(), ColumnType.decimal(30, 2), TEXT);

    static LongStream seeds() {
        return Samples.seeds(200);
    }

    private final BatchBuilder builder = new BatchBuilder(INPUT);

    private UnconsolidatedRows rows(Samples samples) {
        for (int row = samples.random().nextInt(50); row > 0; row--) {
            ModelSet.add(builder, samples.row(INPUT), samples.random().nextInt(-2, 3));
        }
        return builder.unconsolidated();
    }

    private static PipeStage.Project project(SplittableRandom random, int columns) {
        return new PipeStage.Project(
                random.ints(1 + random.nextInt(5), 0, columns).boxed().toList());
    }

    /** Lets through most often all, and otherwise those that have a value. */
    private static PipeStage filter(SplittableRandom random, int columns) {
        int column = random.nextInt(3) == 0 ? random.nextInt(columns) : -1;
        return new PipeStage.Filter(
                column >= 0 && random.nextBoolean() ? new Present(column) : row -> column < 0 || !row.isNull(column));
    }

    private record Present(int column) implements RowFilter {

        @Override
        public boolean test(RowView row) {
            return !row.isNull(column);
        }

        @Override
        public int[] columnsPresent() {
            return new int[] {column};
        }
    }

    /** Takes some columns as they are, and for each other one a text that says what is in the row. */
    private static PipeStage map(SplittableRandom random, List<ColumnType> columns) {
        int[] copied = random.ints(1 + random.nextInt(5), -1, columns.size()).toArray();
        List<ColumnType> types = IntStream.of(copied)
                .mapToObj(column -> column < 0 ? TEXT : columns.get(column))
                .toList();
        return new PipeStage.Map(types, new RowMapper() {
            @Override
            public void map(RowView row, RowWriter out) {
                for (int column = 0; column < copied.length; column++) {
                    if (copied[column] >= 0) {
                        out.copy(column, types.get(column).storage(), row, copied[column]);
                    } else {
                        out.setString(column, column + "x" + row.isNull(0));
                    }
                }
            }

            @Override
            public int[] columnsCopied() {
                return copied.clone();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsAreWhatTheStagesMakeOfThemOneByOne(long seed) {
        Samples samples = new Samples(seed);
        SplittableRandom random = samples.random();
        List<PipeStage> stages = new ArrayList<>();
        List<ColumnType> columns = INPUT.columns();
        for (int count = random.nextInt(4); count > 0; count--) {
            PipeStage stage = random.nextBoolean() ? filter(random, columns.size()) : project(random, columns.size());
            stages.add(stage);
            columns = stage instanceof PipeStage.Project project
                    ? project.columns().stream().map(columns::get).toList()
                    : columns;
        }
        if (random.nextBoolean()) {
            PipeStage.Map map = (PipeStage.Map) map(random, columns);
            stages.add(map);
            columns = map.columns();
            if (random.nextBoolean()) {
                PipeStage.Project project = project(random, columns.size());
                stages.add(project);
                columns = project.columns().stream().map(columns::get).toList();
            }
        }
        RowSchema target = new RowSchema(columns.subList(0, 1), columns.subList(1, columns.size()));
        ArrayStages arrays = ArrayStages.of(stages, INPUT, target);
        for (int step = 0; step < 3; step++) {
            UnconsolidatedRows rows = rows(samples);
            // Parts share arrays, as those of worker threads.
            List<UnconsolidatedRows> parts = rows.parts(1 + random.nextInt(3));
            for (UnconsolidatedRows part : parts) {
                RowPipe pipe = new RowPipe(stages, target);
                for (UnconsolidatedCursor row = part.cursor(); row.valid(); row.next()) {
                    pipe.push(row, row.weight());
                }
                UnconsolidatedRows expected = pipe.give();
                UnconsolidatedRows inPlace = arrays == null ? null : arrays.run(part);
                if (arrays != null) {
                    assertThat(inPlace != null).isEqualTo(expected.rowCount() == part.rowCount());
                }
                if (inPlace != null) {
                    assertThat(read(target, inPlace)).isEqualTo(read(target, expected));
                    assertThat(ModelSet.read(target, inPlace.batch().cursor()))
                            .isEqualTo(ModelSet.read(target, expected.batch().cursor()));
                }
            }
        }
    }

    /** A projection is run with the map before it, which must not show. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aProjectionBehindAMapTakesItsColumns(long seed) {
        Samples samples = new Samples(seed);
        SplittableRandom random = samples.random();
        PipeStage.Map map = (PipeStage.Map) map(random, INPUT.columns());
        PipeStage.Project project = project(random, map.columns().size());
        RowSchema mapped = new RowSchema(map.columns(), List.of());
        RowSchema target =
                new RowSchema(project.columns().stream().map(map.columns()::get).toList(), List.of());
        RowPipe alone = new RowPipe(List.of(map), mapped);
        RowPipe both = new RowPipe(List.of(map, project), target);
        for (UnconsolidatedCursor row = rows(samples).cursor(); row.valid(); row.next()) {
            alone.push(row, row.weight());
            both.push(row, row.weight());
        }
        List<List<Object>> expected = new ArrayList<>();
        for (List<Object> row : read(mapped, alone.give())) {
            List<Object> values = new ArrayList<>();
            project.columns().forEach(column -> values.add(row.get(column)));
            values.add(row.getLast());
            expected.add(values);
        }
        assertThat(read(target, both.give())).isEqualTo(expected);
    }

    private static List<List<Object>> read(RowSchema schema, UnconsolidatedRows rows) {
        List<List<Object>> read = new ArrayList<>();
        for (UnconsolidatedCursor row = rows.cursor(); row.valid(); row.next()) {
            List<Object> values = new ArrayList<>(ModelSet.row(schema, row));
            values.add(row.weight());
            read.add(values);
        }
        return read;
    }

    @Test
    void aMapThatCopiesNoTextIsRunRowByRow() {
        SplittableRandom random = new SplittableRandom(1);
        boolean anyInPlace = false;
        for (int i = 0; i < 100; i++) {
            PipeStage.Map map = (PipeStage.Map) map(random, INPUT.columns());
            RowSchema target = new RowSchema(map.columns(), List.of());
            int[] copied = Objects.requireNonNull(map.mapper().columnsCopied());
            boolean hasText = IntStream.range(0, copied.length)
                    .anyMatch(column -> copied[column] >= 0 && target.storages()[column] == Storage.BYTES);
            boolean isInPlace = ArrayStages.of(List.of(map), INPUT, target) != null;
            assertThat(isInPlace).isEqualTo(hasText);
            anyInPlace |= isInPlace;
        }
        assertThat(anyInPlace).isTrue();
    }
}
