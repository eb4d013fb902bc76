/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.state.DirectoryFiles;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.circuits.trace.TraceSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a run keeps in its state directory: the traces of its operators, the last step that is in them, and how far the
 * output was written then. The output is durable up to that length before a version says so; after a crash it is cut
 * back to it. One thread at a time.
 */
final class RunState implements AutoCloseable {

    private static final int BATCHES_PER_TRACE = 4;
    private static final long SPILL_BYTES_MIN = 64 << 10;
    private static final String LAST_STEP = "run.last-step";
    private static final String OUTPUT = "run.output";
    private static final String OUTPUT_BYTES = "run.output-bytes";
    private static final String ENDED = "run.ended";

    private final RunOptions.Kept options;
    private final FileStateDatabase database;
    private final OpenState open;
    private final String fingerprint;
    private final Map<String, String> kept;
    private long committed;

    /**
     * Opens the last version.
     *
     * @param threads among which the memory is divided
     */
    RunState(RunOptions.Kept options, SqlProgram program, int threads) {
        this.options = options;
        Path directory = options.directory();
        this.database = FileStateDatabase.on(
                DirectoryFiles.in(directory), options.memoryBytes() / 2, spillBytes(options, program, threads));
        try {
            this.open = database.open(database.versions().last());
            this.fingerprint = program.fingerprint();
            String before = open.record().fingerprint();
            if (!before.isEmpty() && !before.equals(fingerprint)) {
                throw new InputException("The state in " + directory
                        + " is of another program, or of a release that keeps other state for this one; give the"
                        + " program and the release that wrote it, or an empty directory");
            }
            this.kept = new TreeMap<>(open.record().attributes());
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /**
     * From which size on a batch is written to a file, so that those below it take no more than half of the memory: a
     * trace has a few of each size, and each worker thread its own traces.
     */
    private static long spillBytes(RunOptions.Kept options, SqlProgram program, int threads) {
        long traces =
                program.plan().allNodes().stream().filter(Node::isKeepingState).count();
        long share = options.memoryBytes() / 2 / BATCHES_PER_TRACE / Math.max(1, traces * threads);
        return Math.clamp(share, SPILL_BYTES_MIN, TraceSettings.SPILL_BYTES_DEFAULT);
    }

    /** Whether it is time to commit again. */
    boolean isDue() {
        return options.clock().getAsLong() - committed >= options.commitNanos();
    }

    /** What operators take their traces from. */
    OpenState open() {
        return open;
    }

    /** The last step that is in the state, null before the first. */
    @Nullable
    Long lastStep() {
        String step = kept.get(LAST_STEP);
        return step == null ? null : Long.valueOf(step);
    }

    /**
     * How many bytes of an output are to be kept: those that the state knows of.
     *
     * @throws InputException where the run before was cut off and wrote another file
     */
    long outputBytes(Path output) {
        String before = kept.get(OUTPUT);
        String now = output.toAbsolutePath().normalize().toString();
        if (now.equals(before)) {
            return Long.parseLong(kept.getOrDefault(OUTPUT_BYTES, "0"));
        }
        if (before != null && !kept.containsKey(ENDED)) {
            throw new InputException("The run before did not end, so its output " + before
                    + " must be continued: give --out " + before + ", or an empty state directory");
        }
        return 0;
    }

    /** Commits that an output is being written, before its first byte. */
    void begin(Path output, long bytes) {
        kept.put(OUTPUT, output.toAbsolutePath().normalize().toString());
        kept.put(OUTPUT_BYTES, Long.toString(bytes));
        kept.remove(ENDED);
        commit();
    }

    /**
     * Commits a step.
     *
     * @param bytes of the output, durable
     * @param ends whether the run ends with it
     */
    void commit(@Nullable Long step, long bytes, boolean ends, Circuit circuit) {
        if (step != null) {
            kept.put(LAST_STEP, Long.toString(step));
        }
        kept.put(OUTPUT_BYTES, Long.toString(bytes));
        if (ends) {
            kept.put(ENDED, "true");
        }
        kept.putAll(circuit.attributes());
        commit();
    }

    private void commit() {
        Long last = lastStep();
        long next = last == null || last == Long.MAX_VALUE ? 0 : last + 1;
        open.commit(new StateRecord(next, fingerprint, new byte[0], kept));
        committed = options.clock().getAsLong();
    }

    @Override
    public String toString() {
        return "state in " + options.directory();
    }

    @Override
    public void close() {
        database.close();
    }
}
