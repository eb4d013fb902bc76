/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.protocol.dataflow.v1.ShardAssignment;
import dev.ratchet.protocol.dataflow.v1.ShardRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The owners of shards are what the record of the circuit says. */
class ShardsTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";
    private static final int KEYS = 40;

    @TempDir
    Path directory;

    private DataflowCluster cluster;
    private DataflowStore store;

    private static DataflowSettings settings(long intervalMillis) {
        return new DataflowSettings("c", PROGRAM, false, 1, intervalMillis, 2, OnError.COLLECT, Map.of(), "");
    }

    /** Process 0 has the shards 0, 2 and 3 of 8, and process 1 the others. */
    private static final ShardAssignment INTERLEAVED = ShardAssignment.newBuilder()
            .setShards(8)
            .addRuns(ShardRun.newBuilder().setFirstShard(0).setProcess(0))
            .addRuns(ShardRun.newBuilder().setFirstShard(1).setProcess(1))
            .addRuns(ShardRun.newBuilder().setFirstShard(2).setProcess(0))
            .addRuns(ShardRun.newBuilder().setFirstShard(4).setProcess(1))
            .build();

    @Test
    void rowsLieWhereTheRecordSaysAndAVersionIsNotOpenedUnderOthers() {
        try (DataflowCluster begun = new DataflowCluster(directory, 2)) {
            cluster = begun;
            store = new DataflowStore(cluster.database(), cluster.keyspace());
            cluster.configure(settings(1));
            cluster.awaitState(0, DataflowState.RUNNING);
            ShardAssignment equal = cluster.circuit().getAssignment();
            assertThat(equal.getShards()).isEqualTo(1024);
            assertThat(run().getAssignment()).isEqualTo(equal);
            // As a release has left it that knows no owners.
            cluster.changeCircuit(CircuitRecord.Builder::clearAssignment);
            beginRun();
            assertThat(run().getAssignment()).isEqualTo(equal);

            assign(INTERLEAVED);
            beginRun();
            assertThat(run().getAssignment()).isEqualTo(INTERLEAVED);
            cluster.follow("s");
            append(0, 1);
            assertThat(shares()).isEqualTo(sums(1));

            cluster.await("a version", () -> cluster.worker(0).status().version() >= 1);
            beginRun();
            append(1, 2);
            assertThat(shares()).isEqualTo(sums(3));

            long interleaved = run().getNumber();
            assign(equal);
            cluster.restart(1);
            cluster.await(
                    "the shards to be refused",
                    () -> run().getNumber() > interleaved
                            && run().getEndReason().contains("have not been brought to it"));
            assign(INTERLEAVED);
            cluster.awaitState(0, DataflowState.RUNNING);
            append(2, 4);
            assertThat(shares()).isEqualTo(sums(7));
        }
    }

    /** Adds to the sum of each key, and waits until it is in the view. */
    private void append(long sequence, int v) {
        String[] rows = IntStream.range(0, KEYS)
                .mapToObj(k -> "{\"k\":%d,\"v\":%d}".formatted(k, v))
                .toArray(String[]::new);
        cluster.awaitOutputOf(cluster.append(0, "p", sequence, "t", rows).position(), "s");
    }

    /** What each process has of the view. */
    private List<List<String>> shares() {
        return IntStream.range(0, cluster.size())
                .mapToObj(process ->
                        cluster.snapshot(process, "s").stream().sorted().toList())
                .toList();
    }

    /** What each process has to have where the shards are interleaved. */
    private static List<List<String>> sums(int total) {
        List<List<String>> shares = List.of(new ArrayList<>(), new ArrayList<>());
        for (int k = 0; k < KEYS; k++) {
            int shard = HashRange.shardOf(hash(k), INTERLEAVED.getShards());
            boolean isOfFirst = shard == 0 || shard == 2 || shard == 3;
            shares.get(isOfFirst ? 0 : 1).add(k + " " + total + " x1");
        }
        return shares.stream().map(share -> share.stream().sorted().toList()).toList();
    }

    private static long hash(int k) {
        BatchBuilder key = new BatchBuilder(RowSchema.ofKey(ColumnType.of(TypeKind.INTEGER)));
        key.setLong(0, k);
        key.add(1);
        return key.build().cursor().hash();
    }

    private void beginRun() {
        long before = run().getNumber();
        cluster.restart(1);
        cluster.await("the next run", () -> run().getNumber() > before);
        cluster.awaitState(0, DataflowState.RUNNING);
    }

    private void assign(ShardAssignment assignment) {
        cluster.changeCircuit(circuit -> circuit.setAssignment(assignment));
    }

    private RunRecord run() {
        return cluster.database()
                .read(transaction -> DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance())
                        .join());
    }
}
