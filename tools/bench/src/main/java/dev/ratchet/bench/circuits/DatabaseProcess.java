/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.PendingCommit;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.circuits.state.StateStatistics;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The process that fills a state database with rows of 100 random bytes by a key, commits every hundredth step, opens
 * it again, and changes one row of a hundred in each of some commits: half of the rows of such a change go, half come.
 * Arguments: an empty directory, and megabytes.
 */
public final class DatabaseProcess {

    private static final RowSchema SCHEMA =
            new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT)), List.of(ColumnType.of(TypeKind.VARBINARY)));
    private static final int VALUE_BYTES = 100;
    private static final int STEP_ROWS = 10_000;
    private static final int STEPS_PER_COMMIT = 100;
    private static final int OPENINGS = 9;
    private static final int CHANGES = 9;
    private static final int CHANGED_SHARE = 100;

    private final Path directory;
    private final long bytes;
    private long keys;
    private long step;

    private DatabaseProcess(Path directory, long bytes) {
        this.directory = directory;
        this.bytes = bytes;
    }

    /** Prints a line for each of what is measured: name, value and unit. */
    public static void main(String[] arguments) {
        DatabaseProcess process = new DatabaseProcess(Path.of(arguments[0]), Long.parseLong(arguments[1]) << 20);
        process.fill();
        process.open();
        process.change();
    }

    private void fill() {
        long began = System.nanoTime();
        long commits = 0;
        long came = 0;
        try (FileStateDatabase database = FileStateDatabase.in(directory)) {
            OpenState open = database.open(database.versions().last());
            Trace trace = open.trace("rows", SCHEMA, HashRanges.ALL);
            while (open.statistics().fileBytes() < bytes) {
                for (int i = 0; i < STEPS_PER_COMMIT; i++) {
                    Batch batch = fresh();
                    came += batch.byteCount();
                    trace.insert(batch);
                }
                open.commit(record());
                commits++;
            }
            StateStatistics written = open.statistics();
            print("rows", (double) keys, "");
            print("loaded", keys / seconds(began), "rows/s");
            print("commits", (double) commits, "");
            print("bytes of files", written.fileBytes() / 1e9, "GB");
            print("bytes of files for a row", (double) written.fileBytes() / keys, "");
            print("written for each byte that came in", bytesWritten(written) / came, "");
        }
    }

    private Batch fresh() {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < STEP_ROWS; i++) {
            add(builder, keys++, 0, value, 1);
        }
        return builder.build();
    }

    private static void add(BatchBuilder builder, long key, int generation, byte[] value, long weight) {
        SplittableRandom random = new SplittableRandom(key * CHANGES + generation);
        random.nextBytes(value);
        builder.setLong(0, key);
        builder.setBytes(1, value, 0, value.length);
        builder.add(weight);
    }

    private StateRecord record() {
        return new StateRecord(++step, "bench", new byte[0], Map.of());
    }

    private void open() {
        Latencies openings = new Latencies();
        Latencies first = new Latencies();
        for (int i = 0; i < OPENINGS; i++) {
            long began = System.nanoTime();
            try (FileStateDatabase database = FileStateDatabase.in(directory)) {
                OpenState open = database.open(database.versions().last());
                Trace trace = open.trace("rows", SCHEMA, HashRanges.ALL);
                openings.add(System.nanoTime() - began);
                MergedCursor rows = trace.cursor();
                if (!rows.valid()) {
                    throw new IllegalStateException("The state is empty");
                }
                first.add(System.nanoTime() - began);
            }
        }
        print("open, p50", openings.percentileNanos(0.5) / 1e6, "ms");
        print("open, longest", openings.percentileNanos(1) / 1e6, "ms");
        print("open and first row, p50", first.percentileNanos(0.5) / 1e6, "ms");
    }

    /** Changes by commits of their own; generations of rows make what goes what came. */
    private void change() {
        int changed = (int) (keys / CHANGED_SHARE);
        try (FileStateDatabase database = FileStateDatabase.in(directory)) {
            OpenState open = database.open(database.versions().last());
            Trace trace = open.trace("rows", SCHEMA, HashRanges.ALL);
            Latencies stalls = new Latencies();
            Latencies commits = new Latencies();
            long came = 0;
            for (int generation = 0; generation < CHANGES; generation++) {
                for (int first = 0; first < changed / 2; first += STEP_ROWS / 2) {
                    Batch batch = changeOf(first, Math.min(first + STEP_ROWS / 2, changed / 2), generation);
                    came += batch.byteCount();
                    trace.insert(batch);
                }
                long began = System.nanoTime();
                PendingCommit pending = open.prepare(record());
                stalls.add(System.nanoTime() - began);
                pending.complete();
                commits.add(System.nanoTime() - began);
            }
            StateStatistics written = open.statistics();
            print("changed by a commit", came / (CHANGES * 1e6), "MB");
            print("stall of a commit, p50", stalls.percentileNanos(0.5) / 1e6, "ms");
            print("stall of a commit, longest", stalls.percentileNanos(1) / 1e6, "ms");
            print("commit until durable, p50", commits.percentileNanos(0.5) / 1e6, "ms");
            double byCommits = (double) (written.changedBytes() + written.manifestBytes());
            print("written by commits for each changed byte", byCommits / came, "");
            print("written in all for each changed byte", bytesWritten(written) / came, "");
        }
    }

    /** The next value of keys two hundred apart. */
    private static Batch changeOf(int from, int to, int generation) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        byte[] value = new byte[VALUE_BYTES];
        for (int i = from; i < to; i++) {
            long key = (long) i * 2 * CHANGED_SHARE;
            add(builder, key, generation, value, -1);
            add(builder, key, generation + 1, value, 1);
        }
        return builder.build();
    }

    private static double bytesWritten(StateStatistics written) {
        return (double) (written.changedBytes() + written.mergedBytes() + written.manifestBytes());
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private static void print(String what, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s\t%s\t%.2f\t%s%n", NexmarkRuns.RESULT, what, value, unit);
    }
}
