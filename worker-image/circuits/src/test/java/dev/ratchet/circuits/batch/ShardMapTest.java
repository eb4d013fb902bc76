/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.ShardMap.Run;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.ShardMaps;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maps of shards against the list of their owners. */
class ShardMapTest {

    static LongStream seeds() {
        return Samples.seeds(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachHashIsOfTheOwnerOfItsShard(long seed) {
        Samples samples = new Samples(seed);
        int threads = 1 + samples.random().nextInt(7);
        ShardMap map = ShardMaps.random(samples.random(), threads);
        int[] owners = map.owners();
        assertThat(owners).hasSize(map.shards());
        assertThat(map.threads()).isEqualTo(threads);
        for (int shard = 0; shard < owners.length; shard++) {
            HashRange range = HashRange.ofShards(shard, shard + 1, owners.length);
            for (int thread = 0; thread < threads; thread++) {
                for (long hash : List.of(range.first(), range.last())) {
                    assertThat(map.ranges(thread).contains(hash)).isEqualTo(owners[shard] == thread);
                }
            }
        }
        assertThat(ShardMap.of(map.shards(), threads, map.runs()).owners()).isEqualTo(owners);
        assertThat(map.runs()).isEqualTo(fewest(owners));
    }

    private static List<Run> fewest(int[] owners) {
        List<Run> runs = new ArrayList<>(ShardMaps.runs(owners));
        runs.removeIf(run -> run.firstShard() > 0 && owners[run.firstShard() - 1] == run.thread());
        return runs;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBatchIsSplitIntoTheRowsOfEachOwnerWithoutCopies(long seed) {
        Samples samples = new Samples(seed);
        int threads = 1 + samples.random().nextInt(7);
        ShardMap map = ShardMaps.random(samples.random(), threads);
        RowSchema schema = samples.schema();
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = samples.random().nextInt(200); i > 0; i--) {
            ModelSet.add(builder, samples.row(schema), 1);
        }
        int half = samples.random().nextInt(3);
        Batch whole = builder.build();
        Batch batch = half == 2 ? whole : whole.slice(HashRange.ofShards(half, half + 1, 2));
        ModelSet sum = new ModelSet();
        List<Batch> slices = new ArrayList<>();
        batch.split(map, (slice, thread) -> {
            assertThat(slice.isEmpty()).isFalse();
            assertThat(slice.identity()).isSameAs(batch.identity());
            for (BatchCursor row = slice.cursor(); row.valid(); row.next()) {
                assertThat(map.owners()[HashRange.shardOf(row.hash(), map.shards())])
                        .isEqualTo(thread);
            }
            sum.add(ModelSet.read(schema, slice.cursor()));
            slices.add(slice);
        });
        assertThat(sum).isEqualTo(ModelSet.read(schema, batch.cursor()));
        assertThat(slices.size()).isLessThanOrEqualTo(map.runs().size());
    }

    @Test
    void equalSharesDifferByOneShardAtMost() {
        for (int shards = 1; shards <= 64; shards *= 2) {
            for (int threads = 1; threads <= shards; threads++) {
                int[] counts = new int[threads];
                for (int owner : ShardMap.equal(shards, threads).owners()) {
                    counts[owner]++;
                }
                assertThat(ShardMap.equal(shards, threads).runs()).hasSize(threads);
                for (int count : counts) {
                    assertThat(count).isBetween(shards / threads, (shards + threads - 1) / threads);
                }
            }
        }
    }

    @Test
    void aMapThatLeavesAShardOrAThreadOutIsRefused() {
        refused(12, 2, List.of(new Run(0, 0), new Run(6, 1)), "power of two");
        refused(0, 1, List.of(new Run(0, 0)), "power of two");
        refused(1 << 17, 1, List.of(new Run(0, 0)), "power of two");
        refused(4, 5, List.of(new Run(0, 0)), "5 threads");
        refused(4, 0, List.of(), "0 threads");
        refused(4, 2, List.of(), "Shard 0 of 4 has no owner");
        refused(4, 2, List.of(new Run(1, 0), new Run(2, 1)), "Shard 0 of 4 has no owner");
        refused(4, 2, List.of(new Run(0, 0), new Run(4, 1)), "below the number of shards");
        refused(4, 2, List.of(new Run(0, 0), new Run(2, 1), new Run(2, 0)), "ascend");
        refused(4, 2, List.of(new Run(0, 0), new Run(3, 1), new Run(1, 0)), "ascend");
        refused(4, 2, List.of(new Run(0, 0), new Run(2, 2)), "is thread 2");
        refused(4, 2, List.of(new Run(0, -1), new Run(2, 1)), "is thread -1");
        refused(4, 3, List.of(new Run(0, 0), new Run(2, 2)), "Thread 1 of 3 owns none");
    }

    private static void refused(int shards, int threads, List<Run> runs, String why) {
        assertThatThrownBy(() -> ShardMap.of(shards, threads, runs))
                .as("%d shards, %d threads, %s", shards, threads, runs)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
