/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.program.ClassProgram;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ClassProgramRecord;
import dev.ratchet.store.keyspace.Table;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Makes programs from what they are said in, of which it remembers the last, also those that can not be made, and keeps
 * them in the store. Safe for use by several threads.
 */
public final class Programs {

    /** After which a jar that could not be fetched is looked for again, where somebody asks. */
    public static final long FETCH_AGAIN_MILLIS = 3_000;

    /** How long a class may build. */
    public static final long BUILD_MILLIS_MAX = 30_000;

    private static final int CHUNK_BYTES = 90_000;
    private static final int KNOWN_MAX = 8;

    private final JarSource jars;
    private final Environment environment;
    private final long buildMillisMax;
    private final Map<String, CompletableFuture<AcceptedProgram>> known = new LinkedHashMap<>(16, 0.75f, true);

    public Programs(JarSource jars, Environment environment) {
        this(jars, environment, BUILD_MILLIS_MAX);
    }

    /** @param buildMillisMax how long a class may build */
    public Programs(JarSource jars, Environment environment, long buildMillisMax) {
        this.jars = jars;
        this.environment = environment;
        this.buildMillisMax = buildMillisMax;
    }

    /** SHA-256 of a text. */
    public static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
    }

    private static String digest(ProgramSource source) {
        return switch (source) {
            case ProgramSource.Sql sql -> digest(sql.text());
            case ProgramSource.OfClass of -> digest("class " + of.className() + " of " + of.jar());
        };
    }

    /**
     * The program. SQL is compiled before this returns, which takes its time; a class builds in a thread of its own.
     *
     * @return fails with {@link ProgramInvalidException}, which says what to do, for what stays as it is, and with
     *     something else where a jar can not be fetched now
     */
    public synchronized CompletableFuture<AcceptedProgram> prepare(ProgramSource source) {
        String digest = digest(source);
        CompletableFuture<AcceptedProgram> before = known.get(digest);
        if (before != null) {
            return before;
        }
        CompletableFuture<AcceptedProgram> made =
                switch (source) {
                    case ProgramSource.Sql sql -> compile(digest, sql);
                    case ProgramSource.OfClass of -> build(digest, of);
                };
        known.put(digest, made);
        if (known.size() > KNOWN_MAX) {
            known.remove(known.keySet().iterator().next());
        }
        return made;
    }

    private static CompletableFuture<AcceptedProgram> compile(String digest, ProgramSource.Sql sql) {
        try {
            return CompletableFuture.completedFuture(new AcceptedProgram(digest, sql, SqlProgram.compile(sql.text())));
        } catch (SqlException mistake) {
            return CompletableFuture.failedFuture(
                    new ProgramInvalidException("The program does not compile: " + mistake.getMessage(), mistake));
        }
    }

    private CompletableFuture<AcceptedProgram> build(String digest, ProgramSource.OfClass source) {
        return jars.fetch(source.jar())
                .whenComplete((jar, failure) -> {
                    if (failure != null) {
                        environment.schedule(FETCH_AGAIN_MILLIS, () -> forget(digest));
                    }
                })
                .thenCompose(jar -> build(jar, source.className()))
                .thenApply(built -> new AcceptedProgram(digest, source, built));
    }

    private synchronized void forget(String digest) {
        known.remove(digest);
    }

    /** A class that does not return keeps its thread, which nobody can end, and is never begun again. */
    private CompletableFuture<ClassProgram> build(Path jar, String className) {
        CompletableFuture<ClassProgram> built = new CompletableFuture<>();
        Thread thread = environment.threads().newThread(() -> {
            try {
                built.complete(ClassProgram.load(jar, className));
            } catch (Throwable failure) {
                built.completeExceptionally(
                        failure instanceof ProgramInvalidException
                                ? failure
                                : new ProgramInvalidException(
                                        "The class " + className + " can not build its circuit: " + failure, failure));
            }
        });
        Environment.Cancellable limit = environment.schedule(buildMillisMax, () -> {
            if (built.completeExceptionally(new ProgramInvalidException("The class " + className
                    + " has not built its circuit within " + buildMillisMax + " ms; have it declare tables and views"
                    + " alone, and read or wait for nothing. A class that goes on keeps a processor of the worker"
                    + " until its process ends"))) {
                thread.interrupt();
            }
        });
        thread.start();
        return built.whenComplete((program, failure) -> limit.cancel());
    }

    /**
     * Why a program could not be prepared, for people.
     *
     * @param failure of what {@link #prepare} returned
     */
    public static String mistake(CompletionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage());
    }

    /** Writes a program in place of the one before, and into the record of the circuit where it is. */
    public static void write(
            Transaction transaction, Table<byte[]> table, CircuitRecord.Builder circuit, AcceptedProgram program) {
        String text =
                switch (program.source()) {
                    case ProgramSource.Sql sql -> {
                        circuit.clearClassProgram();
                        yield sql.text();
                    }
                    case ProgramSource.OfClass of -> {
                        String listing = listing(program);
                        circuit.setClassProgram(ClassProgramRecord.newBuilder()
                                .setJar(of.jar())
                                .setClassName(of.className())
                                .setListingDigest(digest(listing)));
                        yield listing;
                    }
                };
        table.clearAll(transaction);
        List<byte[]> chunks = DataflowStore.chunks(text.getBytes(StandardCharsets.UTF_8), CHUNK_BYTES);
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            DataflowStore.write(transaction, table, chunks.get(chunk), chunk);
        }
        circuit.setProgramDigest(program.digest()).setProgramChunks(chunks.size());
    }

    private static String listing(AcceptedProgram program) {
        return String.join("\n", program.program().listing());
    }

    /** The text of SQL, or what the class must build. */
    public static CompletableFuture<String> read(ReadTransaction transaction, Table<byte[]> table) {
        return transaction.getRange(table.range()).asList().thenApply(found -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (KeyValue chunk : found) {
                text.writeBytes(chunk.getValue());
            }
            return text.toString(StandardCharsets.UTF_8);
        });
    }

    /** Whether a text that was read is that of this record, and not of one that came later. */
    public static boolean isOf(CircuitRecord circuit, String text) {
        String digest =
                circuit.hasClassProgram() ? circuit.getClassProgram().getListingDigest() : circuit.getProgramDigest();
        return digest(text).equals(digest);
    }

    /** What the program of a record is made from. */
    public static ProgramSource source(CircuitRecord circuit, String text) {
        return circuit.hasClassProgram()
                ? new ProgramSource.OfClass(
                        circuit.getClassProgram().getJar(),
                        circuit.getClassProgram().getClassName())
                : new ProgramSource.Sql(text);
    }

    /**
     * Refuses a class that builds something else here than where it was accepted.
     *
     * @param text that was read
     * @throws ProgramInvalidException which names what differs
     */
    public static void requireSame(AcceptedProgram program, String text) {
        if (program.source() instanceof ProgramSource.OfClass of
                && !listing(program).equals(text)) {
            throw new ProgramInvalidException("The class " + of.className() + " builds another circuit here than where"
                    + " it was accepted: "
                    + ListingDifference.of(
                            text.lines().toList(), program.program().listing())
                    + ". What it builds must depend on nothing but its code: no time, randomness, host, or order of a"
                    + " hash table");
        }
    }

    /** The jar of the program in force, as a read of the transaction; empty where it has none. */
    public static CompletableFuture<Set<String>> jars(ReadTransaction transaction, DataflowStore store) {
        return DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                .thenApply(circuit -> circuit.hasClassProgram()
                        ? Set.of(circuit.getClassProgram().getJar())
                        : Set.of());
    }
}
