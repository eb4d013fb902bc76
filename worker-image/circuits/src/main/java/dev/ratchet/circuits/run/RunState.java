/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.StateRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a run keeps in its state directory: the traces of its operators, the last step that is in them, and how far the
 * output was written then. The output is durable up to that length before a version says so; after a crash it is cut
 * back to it. One thread at a time.
 */
final class RunState implements AutoCloseable {

    private static final String LAST_STEP = "run.last-step";
    private static final String OUTPUT = "run.output";
    private static final String OUTPUT_BYTES = "run.output-bytes";
    private static final String ENDED = "run.ended";

    private final Path directory;
    private final FileStateDatabase database;
    private final OpenState open;
    private final String fingerprint;
    private final Map<String, String> kept;

    /** Opens the last version. */
    RunState(Path directory, SqlProgram program) {
        this.directory = directory;
        this.database = FileStateDatabase.in(directory);
        try {
            this.open = database.open(database.versions().last());
            this.fingerprint = fingerprint(program);
            String before = open.record().fingerprint();
            if (!before.isEmpty() && !before.equals(fingerprint)) {
                throw new InputException("The state in " + directory
                        + " is of another program; give the program that wrote it, or an empty directory");
            }
            this.kept = new TreeMap<>(open.record().attributes());
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Names everything of a program that its state depends on. */
    private static String fingerprint(SqlProgram program) {
        StringBuilder text = new StringBuilder(program.plan().fingerprint()).append('\n');
        for (Relation table : program.tables()) {
            text.append(table.name()).append(table.columns()).append('\n');
        }
        for (Relation view : program.views()) {
            text.append(view.name()).append(view.columns()).append('\n');
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
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
    }

    @Override
    public String toString() {
        return "state in " + directory;
    }

    @Override
    public void close() {
        database.close();
    }
}
