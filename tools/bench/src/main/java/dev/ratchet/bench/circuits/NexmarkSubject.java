/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.MeasuredProcess;
import java.io.IOException;
import java.util.List;

/** The engines that are measured, each with the same collector and a heap of one size from the start, as Flink has. */
enum NexmarkSubject {
    RATCHET("ratchet"),
    FLINK_HASHMAP("flink, heap"),
    FLINK_ROCKSDB("flink, rocksdb"),
    JET("hazelcast jet"),
    DUCKDB("duckdb, again");

    static final List<String> JAVA_OPTIONS = List.of("-Xms6g", "-Xmx6g", "-XX:+UseParallelGC");

    private final String title;

    NexmarkSubject(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Whether an answer is kept up to date; otherwise it is asked for again, over all rows. */
    boolean isIncremental() {
        return this != DUCKDB;
    }

    /** What the process wants before the arguments that all have. */
    List<String> arguments() {
        return switch (this) {
            case FLINK_HASHMAP -> List.of("hashmap");
            case FLINK_ROCKSDB -> List.of("rocksdb");
            case RATCHET, JET, DUCKDB -> List.of();
        };
    }

    MeasuredProcess process() throws IOException {
        return switch (this) {
            case RATCHET -> MeasuredProcess.ofOwn(RatchetProcess.class, JAVA_OPTIONS);
            case DUCKDB ->
                MeasuredProcess.ofPeer("duckdb", "dev.ratchet.bench.peers.duckdb.DuckDbProcess", JAVA_OPTIONS);
            case JET ->
                MeasuredProcess.ofPeer("hazelcast", "dev.ratchet.bench.peers.hazelcast.JetProcess", JAVA_OPTIONS);
            case FLINK_HASHMAP, FLINK_ROCKSDB ->
                MeasuredProcess.ofPeer("flink", "dev.ratchet.bench.peers.flink.FlinkProcess", JAVA_OPTIONS);
        };
    }
}
