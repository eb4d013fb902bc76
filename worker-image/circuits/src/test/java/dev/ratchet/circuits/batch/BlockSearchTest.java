/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guessed searches for hashes against linear ones, also where hashes are anything but uniform. */
class BlockSearchTest {

    private static final RowSchema SCHEMA = RowSchema.ofKey(ColumnType.of(TypeKind.BIGINT));

    static LongStream seeds() {
        return Samples.seeds(40);
    }

    /** Hashes of one of several shapes: uniform, few and often, close together, at both ends, growing by powers. */
    private static long hash(Random random, int shape) {
        long any = random.nextLong();
        return switch (shape) {
            case 0 -> any;
            case 1 -> (any & 3) * 0x4000_0000_0000_0001L;
            case 2 -> 0x7FFF_FFFF_FFFF_FF00L + (any & 0x1FF);
            case 3 -> (any & 1) == 0 ? any >>> 60 : ~(any >>> 60);
            default -> 1L << (any & 63);
        };
    }

    private static Batch batch(Random random, int rows) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        int shape = random.nextInt(5);
        for (int row = 0; row < rows; row++) {
            builder.setLong(0, row);
            builder.add(1, hash(random, shape));
        }
        return builder.build();
    }

    private static long near(Random random, Block block) {
        long hash = block.hash(random.nextInt(block.rows)) + random.nextInt(3) - 1;
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(3) - 1;
            default -> hash;
        };
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBlockFindsWhatALinearSearchFinds(long seed) {
        Random random = new Random(seed);
        Block block = batch(random, 1 + random.nextInt(400)).source().block(0);
        for (int i = 0; i < 300; i++) {
            long hash = near(random, block);
            int from = random.nextInt(block.rows + 1);
            boolean above = random.nextBoolean();
            int expected = from;
            while (expected < block.rows && isBefore(block.hash(expected), hash, above)) {
                expected++;
            }
            assertThat(block.find(hash, from, above))
                    .as("%x from %d above %s, seed %d", hash, from, above, seed)
                    .isEqualTo(expected);
        }
        for (int row = 0; row < block.rows; row++) {
            int end = block.endOfHash(row);
            assertThat(block.hash(end - 1)).isEqualTo(block.hash(row));
            assertThat(end == block.rows || block.hash(end) != block.hash(row)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aFilterPassesWhatIsThereAndLittleElse(long seed) {
        Random random = new Random(seed);
        Block block = batch(random, 1 + random.nextInt(400)).source().block(0);
        for (int row = 0; row < block.rows; row++) {
            if (block.hash(row) != block.hash(0)) {
                assertThat(block.mayContain(block.hash(row)))
                        .as("row %d, seed %d", row, seed)
                        .isTrue();
            }
        }
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        for (int row = 0; row < 4_000; row++) {
            builder.setLong(0, row);
            builder.add(1, random.nextLong());
        }
        Block uniform = builder.build().source().block(0);
        int passed = 0;
        for (int i = 0; i < 4_000; i++) {
            long absent = uniform.hash(0) + 1 + random.nextLong(Long.MAX_VALUE);
            passed += uniform.mayContain(absent) ? 1 : 0;
        }
        assertThat(passed).as("of 4000 absent hashes").isLessThan(400);
    }

    private static boolean isBefore(long found, long hash, boolean above) {
        int order = Long.compareUnsigned(found, hash);
        return order < 0 || (above && order == 0);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyHintLeadsToTheSameBlock(long seed) {
        Random random = new Random(seed);
        BlockIndex index = new BlockIndex();
        Batch batch = batch(random, 50);
        for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
            index.add(row.hash(), 1, 1);
        }
        for (int i = 0; i < 300; i++) {
            long hash = near(random, batch.source().block(0));
            int hint = random.nextInt(52) - 1;
            int expected = -1;
            while (expected + 1 < 50 && isBefore(index.firstHash(expected + 1), hash, false)) {
                expected++;
            }
            assertThat(index.blockBelow(hash, hint))
                    .as("%x with hint %d, seed %d", hash, hint, seed)
                    .isEqualTo(expected);
        }
    }
}
