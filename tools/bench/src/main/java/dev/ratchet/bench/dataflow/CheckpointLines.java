/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.PendingCommit;
import dev.ratchet.circuits.state.StateRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * For how long a version of the state keeps the thread of the steps: of a circuit that takes steps all the time, each
 * of which changes few rows of a state of a hundred bytes per row.
 */
final class CheckpointLines {

    private static final String PROGRAM = """
            CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL, note VARCHAR NOT NULL);
            CREATE VIEW s AS SELECT k, MAX(note) AS note, SUM(v) AS total FROM t GROUP BY k;
            """;

    private static final int LOADED_ROWS = 50_000;
    private static final int STEP_ROWS = 100;
    private static final int NOTE_BYTES = 76;
    private static final int ROW_BYTES = 100;
    private static final int VERSIONS = 10;
    private static final double CHANGED_SHARE = 0.01;

    private final Circuit circuit;
    private final OpenState state;
    private final SqlProgram program;
    private final SplittableRandom random = new SplittableRandom(1);
    private final long keys;
    private long step;

    private CheckpointLines(SqlProgram program, OpenState state, long keys) {
        this.program = program;
        this.state = state;
        this.keys = keys;
        this.circuit = new Circuit(
                program.plan(), CircuitOptions.inMemory(1).withState(state).withViews());
    }

    /** Of a state of some hundred megabytes, or of 4 GB. */
    static void stalls(Path parent, boolean quick, Report report) throws IOException {
        long megabytes = quick ? 256 : 4_096;
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        try (FileStateDatabase database = FileStateDatabase.in(directory)) {
            database.retain(2);
            CheckpointLines lines = new CheckpointLines(
                    SqlProgram.compile(PROGRAM), database.open(0), (megabytes << 20) / ROW_BYTES / 2);
            lines.measure(megabytes, report);
        } finally {
            Directories.delete(directory);
        }
    }

    private void measure(long megabytes, Report report) {
        for (long key = 0; key < keys; ) {
            for (int i = 0; i < LOADED_ROWS && key < keys; i++) {
                add(key++);
            }
            take();
        }
        prepare().complete();
        Latencies frozen = new Latencies();
        Latencies beside = new Latencies();
        Latencies undisturbed = new Latencies();
        for (int version = 0; version < VERSIONS; version++) {
            for (long changed = 0; changed < CHANGED_SHARE * keys; changed += STEP_ROWS) {
                change(undisturbed);
            }
            long began = System.nanoTime();
            PendingCommit commit = prepare();
            frozen.add(System.nanoTime() - began);
            CompletableFuture<Void> stored = CompletableFuture.runAsync(commit::complete);
            do {
                change(beside);
            } while (!stored.isDone());
            stored.join();
        }
        add(report, megabytes, "freeze of a version", frozen);
        add(report, megabytes, "step beside it", beside);
        add(report, megabytes, "step without one", undisturbed);
        add(report, megabytes, "version without a change, stored", ofNothing());
        circuit.close();
    }

    /** As a layout makes them that is to take place between two versions: of empty steps, on the disk. */
    private Latencies ofNothing() {
        Latencies stored = new Latencies();
        for (int version = 0; version < VERSIONS; version++) {
            take();
            long began = System.nanoTime();
            prepare().complete();
            stored.add(System.nanoTime() - began);
        }
        return stored;
    }

    private void change(Latencies times) {
        long began = System.nanoTime();
        for (int i = 0; i < STEP_ROWS; i++) {
            add(random.nextLong(keys));
        }
        take();
        times.add(System.nanoTime() - began);
    }

    private void add(long key) {
        TableInput input = circuit.input("t");
        byte[] note = new byte[NOTE_BYTES];
        for (int i = 0; i < NOTE_BYTES; i++) {
            note[i] = (byte) ('a' + (key + i) % 26);
        }
        input.setLong(0, key);
        input.setLong(1, 1);
        input.setBytes(2, note, 0, NOTE_BYTES);
        input.add(1);
    }

    private void take() {
        circuit.step();
        circuit.publish(++step);
    }

    private PendingCommit prepare() {
        return state.prepare(
                new StateRecord(step + 1, program.fingerprint(), new byte[0], Map.copyOf(circuit.attributes())));
    }

    private static void add(Report report, long megabytes, String what, Latencies times) {
        report.add(new Measurement(
                "circuit, MB of state",
                what,
                megabytes,
                1,
                0,
                times.percentileNanos(0.5) / 1e3,
                times.percentileNanos(times.count() < 100 ? 1 : 0.99) / 1e3,
                0,
                0));
    }
}
