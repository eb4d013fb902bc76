/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.ShardMap;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.protocol.dataflow.v1.RunParticipant;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.protocol.dataflow.v1.ShardAssignment;
import dev.ratchet.protocol.dataflow.v1.ShardRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardLayoutTest {

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    private static RunRecord run(int processes, int threads, ShardAssignment assignment) {
        RunRecord.Builder run =
                RunRecord.newBuilder().setNumber(3).setVersion(7).setThreads(threads);
        for (int process = 0; process < processes; process++) {
            run.addParticipants(RunParticipant.newBuilder().setSeat("w-" + process));
        }
        return run.setAssignment(assignment).build();
    }

    private static ShardMap random(SplittableRandom random, int threads) {
        int shards = 16 << random.nextInt(3);
        List<ShardMap.Run> runs = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            runs.add(new ShardMap.Run(shard, shard < threads ? shard : random.nextInt(threads)));
        }
        return ShardMap.of(shards, threads, runs);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRunHasTheMapThatWasRecorded(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int processes = 1 + random.nextInt(4);
        int threads = 1 + random.nextInt(4);
        ShardMap map = random(random, processes * threads);
        ShardMap read = ShardLayout.map(run(processes, threads, ShardLayout.assignment(map, threads)));
        assertThat(read.shards()).isEqualTo(map.shards());
        assertThat(read.threads()).isEqualTo(map.threads());
        assertThat(read.runs()).isEqualTo(map.runs());
    }

    /** What releases mean that wrote no assignment must never change: their state lies so. */
    @Test
    void recordsWithoutAnAssignmentMeanEqualSharesOf1024Shards() {
        for (int processes = 1; processes <= 5; processes++) {
            for (int threads = 1; threads <= 3; threads++) {
                RunRecord run = run(processes, threads, ShardAssignment.getDefaultInstance()).toBuilder()
                        .clearAssignment()
                        .build();
                List<ShardMap.Run> expected = new ArrayList<>();
                for (int thread = 0; thread < processes * threads; thread++) {
                    expected.add(new ShardMap.Run(thread * 1024 / (processes * threads), thread));
                }
                assertThat(ShardLayout.map(run).shards()).isEqualTo(1024);
                assertThat(ShardLayout.map(run).runs()).isEqualTo(expected);
                ShardAssignment equal = ShardLayout.equal(processes, threads);
                assertThat(ShardLayout.map(run(processes, threads, equal)).runs())
                        .isEqualTo(expected);
            }
        }
    }

    private static ShardAssignment assignment(int shards, int... runs) {
        ShardAssignment.Builder assignment = ShardAssignment.newBuilder().setShards(shards);
        for (int i = 0; i < runs.length; i += 3) {
            assignment.addRuns(ShardRun.newBuilder()
                    .setFirstShard(runs[i])
                    .setProcess(runs[i + 1])
                    .setThread(runs[i + 2]));
        }
        return assignment.build();
    }

    @Test
    void aMapThatDoesNotFitTheRunIsRefused() {
        refused(assignment(4, 0, 0, 0, 2, 2, 0), "thread 0 of process 2");
        refused(assignment(4, 0, 0, 0, 2, 0, 1), "thread 1 of process 0");
        refused(assignment(4, 0, 0, 0, 2, -1, 0), "thread 0 of process -1");
        refused(assignment(4, 0, 1, 0), "Thread 0 of 2 owns none");
        refused(assignment(4, 1, 0, 0, 2, 1, 0), "Shard 0 of 4 has no owner");
        refused(assignment(6, 0, 0, 0, 3, 1, 0), "power of two");
        refused(assignment(4), "Shard 0 of 4 has no owner");
        assertThatThrownBy(() -> ShardLayout.map(run(1025, 1, ShardLayout.equal(1025, 1))))
                .isInstanceOf(LayoutRefusedException.class)
                .hasMessageContaining("1025 threads");
    }

    private static void refused(ShardAssignment assignment, String why) {
        assertThatThrownBy(() -> ShardLayout.map(run(2, 1, assignment)))
                .isInstanceOf(LayoutRefusedException.class)
                .hasMessageContaining("do not fit 2 processes of 1 threads")
                .hasMessageContaining(why);
    }

    private static StateRecord version(byte[] layout) {
        return new StateRecord(5, "program", layout, Map.of());
    }

    @Test
    void aVersionIsOpenedByWhoOwnsItsShardsAlone() {
        RunRecord made = run(2, 2, assignment(8, 0, 0, 0, 2, 1, 0, 4, 0, 1, 6, 1, 1));
        StateRecord version = version(ShardLayout.layout(made));
        RunRecord otherThreads = run(2, 1, assignment(4, 0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0));
        RunRecord equal = run(2, 2, ShardLayout.equal(2, 2));
        for (int process = 0; process < 2; process++) {
            int opening = process;
            assertThatCode(() -> ShardLayout.check(version, made, opening)).doesNotThrowAnyException();
            assertThatCode(() -> ShardLayout.check(version, otherThreads, opening))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> ShardLayout.check(version, equal, opening))
                    .isInstanceOf(LayoutRefusedException.class)
                    .hasMessageContaining("Version 7 of the state of w-" + opening)
                    .hasMessageContaining("run 3");
            assertThatCode(() -> ShardLayout.check(
                            version, equal.toBuilder().setVersion(0).build(), opening))
                    .doesNotThrowAnyException();
            // A release that stores no layout has equal shares.
            assertThatCode(() -> ShardLayout.check(version(new byte[0]), equal, opening))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> ShardLayout.check(version(new byte[0]), made, opening))
                    .isInstanceOf(LayoutRefusedException.class);
        }
        assertThatThrownBy(() -> ShardLayout.check(version(new byte[] {1}), made, 0))
                .isInstanceOf(LayoutRefusedException.class)
                .hasMessageContaining("can not be read");
    }

    @Test
    void aVersionOfASeatThatWasNotInItsLayoutIsRefused() {
        RunRecord made = run(1, 1, ShardLayout.equal(1, 1));
        RunRecord more = run(2, 1, ShardLayout.equal(2, 1));
        assertThatThrownBy(() -> ShardLayout.check(version(ShardLayout.layout(made)), more, 1))
                .isInstanceOf(LayoutRefusedException.class)
                .hasMessageContaining("has no hashes");
    }
}
