/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.OnError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run is given.
 *
 * @param program SQL
 * @param in changes, one JSON object per line; null for none
 * @param out where the changes of views are written
 * @param kept where the circuit is kept from run to run; null for nowhere but memory
 * @param tables CSV files with rows of the first step, by table
 * @param jars with the classes of the program's functions
 * @param onError what becomes of rows that can not be computed
 */
public record RunOptions(
        Path program,
        @Nullable Path in,
        Path out,
        int threads,
        @Nullable Kept kept,
        Map<String, Path> tables,
        List<Path> jars,
        OnError onError) {

    public RunOptions {
        tables = Map.copyOf(tables);
        jars = List.copyOf(jars);
    }

    /** A run in which errors are collected. */
    public RunOptions(
            Path program,
            @Nullable Path in,
            Path out,
            int threads,
            @Nullable Kept kept,
            Map<String, Path> tables,
            List<Path> jars) {
        this(program, in, out, threads, kept, tables, jars, OnError.COLLECT);
    }

    public RunOptions withOnError(OnError wanted) {
        return new RunOptions(program, in, out, threads, kept, tables, jars, wanted);
    }

    /**
     * State that outlasts the run.
     *
     * @param memoryBytes of the state that stay in memory: half for what was read from files, half for what is not yet
     *     written to one
     * @param commitNanos time after which the state is committed again while a run lasts; it always is at the end
     * @param clock nanoseconds that never go back; says when to commit, never what a circuit computes
     */
    public record Kept(Path directory, long memoryBytes, long commitNanos, LongSupplier clock) {

        public static final long MEMORY_BYTES_DEFAULT = 512L << 20;
        public static final long COMMIT_NANOS_DEFAULT = 1_000_000_000;

        /** Less would make a file of every few rows. */
        public static final long MEMORY_BYTES_MIN = 4L << 20;
    }
}
