/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HashSortTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final RowSchema SCHEMA = new RowSchema(List.of(BIGINT), List.of());

    private static final RowSchema THREE_NUMBERS = new RowSchema(List.of(BIGINT), List.of(BIGINT, BIGINT, BIGINT));

    private long compares;

    static LongStream seeds() {
        return Samples.seeds(40);
    }

    /** Rows with uniform hashes, and weights of which some are 0. */
    private static RowVectors rows(SplittableRandom random, int count) {
        RowVectors rows = new RowVectors(SCHEMA);
        for (int row = 0; row < count; row++) {
            rows.setLong(0, row);
            rows.commit(random.nextInt(3), random.nextLong());
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverThePiecesTheOrderIsOneAndNoneDoesMoreThanItsShare(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = 1 + random.nextInt(3_000);
        boolean weighing = random.nextBoolean();
        RowVectors rows = rows(random, count);
        List<Integer> expected = IntStream.range(0, count)
                .filter(row -> !weighing || rows.weights[row] != 0)
                .boxed()
                .sorted(rows::compare)
                .toList();
        HashSort sort = new HashSort(
                rows,
                0,
                count,
                (left, right) -> {
                    compares++;
                    return rows.compare(left, right);
                },
                weighing);
        long most = 0;
        long steps = 0;
        int piece = 1 + random.nextInt(20);
        for (boolean complete = false; !complete; steps += piece) {
            long before = compares;
            complete = sort.work(piece) > 0;
            most = Math.max(most, compares - before);
        }
        assertThat(sort.order())
                .as("seed %d", seed)
                .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
        // A bucket or two more than the piece, of a few rows each.
        assertThat(most).as("seed %d", seed).isLessThanOrEqualTo(4L * piece + 60);
        assertThat(steps).isLessThanOrEqualTo(5L * count + 3L * piece);
    }

    /** Few keys with many rows each, some columns of which are alike, wide apart or NULL: as if compared one by one. */
    @ParameterizedTest
    @MethodSource("seeds")
    void longRunsOfAKeyAreInTheOrderOfTheirColumns(long seed) {
        Samples samples = new Samples(seed);
        SplittableRandom random = samples.random();
        boolean isNumbers = seed % 2 == 0;
        RowSchema schema = isNumbers ? THREE_NUMBERS : samples.schema();
        long[] spans = {1, 5, 1_000, Long.MAX_VALUE};
        List<List<Object>> keyed = new ArrayList<>();
        for (int key = 0; key < 6; key++) {
            keyed.add(samples.row(schema));
        }
        long[] span = {spans[random.nextInt(4)], spans[random.nextInt(4)], spans[random.nextInt(4)]};
        BatchBuilder made = new BatchBuilder(schema);
        for (int row = 0; row < 400; row++) {
            List<Object> values = new ArrayList<>(samples.row(schema));
            List<Object> key = keyed.get(random.nextInt(keyed.size()));
            for (int column = 0; column < schema.keyCount(); column++) {
                values.set(column, key.get(column));
            }
            for (int column = 1; isNumbers && column < 4; column++) {
                values.set(column, random.nextLong(span[column - 1]) - span[column - 1] / 2);
            }
            ModelSet.add(made, values, 1);
        }
        UnconsolidatedRows unconsolidated = made.unconsolidated();
        UnconsolidatedCursor inOrder = unconsolidated.inOrder();
        RowVectors all = inOrder.rows();
        Set<Integer> seen = new HashSet<>();
        for (int before = -1; inOrder.valid(); inOrder.next()) {
            int row = inOrder.row();
            assertThat(before < 0 || all.compare(before, row) <= 0)
                    .as("seed %d", seed)
                    .isTrue();
            before = row;
            seen.add(row);
        }
        assertThat(seen).hasSize(400);
    }
}
