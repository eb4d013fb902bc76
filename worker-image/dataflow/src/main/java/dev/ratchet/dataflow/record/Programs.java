/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.program.ClassProgram;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.sql.UnreadablePlanException;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes programs of what the configuration says and of what the store has, and remembers the last, also those that can
 * not be made. A text is planned once, when it is accepted; from then on its recorded plan is the program, also where
 * this release would plan the text otherwise. Safe for use by several threads.
 */
public final class Programs {

    /** After which a jar that could not be fetched is looked for again, where somebody asks. */
    public static final long FETCH_AGAIN_MILLIS = 3_000;

    /** How long a class may build. */
    public static final long BUILD_MILLIS_MAX = 30_000;

    /** A transaction of the store takes 10 MB, the text among them. */
    private static final int PLAN_BYTES_MAX = 8_000_000;

    private static final int KNOWN_MAX = 8;

    private final JarSource jars;
    private final Environment environment;
    private final Planner planner;
    private final long buildMillisMax;
    private final Map<Known, CompletableFuture<AcceptedProgram>> known = new LinkedHashMap<>(16, 0.75f, true);

    /** The last plan that a program was built of. */
    private @Nullable Built built;

    private record Built(String planDigest, AcceptedProgram program) {}

    /** A text may be planned in two ways, one after the other. */
    private record Known(String digest, RepeatedKeys repeated) {}

    /** Plans texts in SQL. */
    public interface Planner {

        /** The one of this release. */
        Planner SQL = SqlProgram::compile;

        /**
         * Plans a text.
         *
         * @throws SqlException where it has a mistake
         */
        SqlProgram plan(String text, RepeatedKeys repeated, OutputKeys outputKeys);
    }

    public Programs(JarSource jars, Environment environment, Planner planner) {
        this(jars, environment, planner, BUILD_MILLIS_MAX);
    }

    /** @param buildMillisMax how long a class may build */
    public Programs(JarSource jars, Environment environment, Planner planner, long buildMillisMax) {
        this.jars = jars;
        this.environment = environment;
        this.planner = planner;
        this.buildMillisMax = buildMillisMax;
    }

    /** SHA-256 of a text. */
    public static String digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
    }

    private static String digest(ProgramSource source) {
        String said =
                switch (source) {
                    case ProgramSource.Sql sql -> sql.text();
                    case ProgramSource.OfClass of -> "class " + of.className() + " of " + of.jar();
                };
        OutputKeys keys = source.outputKeys();
        return digest(keys.isEmpty() ? said : said + "\nput out by" + lines(keys));
    }

    /** Each name with its length, so that no other keys give the same text. */
    private static String lines(OutputKeys keys) {
        StringBuilder lines = new StringBuilder();
        keys.byView().forEach((view, key) -> {
            lines.append('\n').append(view.length()).append(' ').append(view);
            key.forEach(column ->
                    lines.append(' ').append(column.length()).append(' ').append(column));
        });
        return lines.toString();
    }

    /**
     * The program of what the configuration says. SQL is its recorded plan, or planned before this returns, which takes
     * its time; a class builds in a thread of its own.
     *
     * @param repeated how a text is planned, see {@link StoredProgram#repeatedKeys}
     * @param recorded what the store has, which is read where the text is not known
     * @return fails with {@link ProgramInvalidException}, which says what to do, for what stays as it is, with
     *     {@link UnreadablePlanException} where the recorded plan can not be used, and with something else where a jar
     *     can not be fetched now
     */
    public CompletableFuture<AcceptedProgram> prepare(
            ProgramSource source, RepeatedKeys repeated, Supplier<StoredProgram> recorded) {
        CompletableFuture<AcceptedProgram> before = known(new Known(digest(source), repeated));
        if (before != null) {
            return before;
        }
        return switch (source) {
            case ProgramSource.Sql sql -> ofText(sql, repeated, recorded.get());
            case ProgramSource.OfClass of -> ofClass(of);
        };
    }

    /**
     * The program that the store has: SQL by its plan, or planned where a release before left the text alone, and a
     * class from its jar. Waits for a class.
     *
     * @throws UnreadablePlanException where no circuit can be built of the plan, or another one than it should
     * @throws ProgramInvalidException where the class can not be used, or builds another circuit here than where it was
     *     accepted, of which it names what differs
     */
    public AcceptedProgram stored(StoredProgram stored) {
        CompletableFuture<AcceptedProgram> made =
                switch (stored.source()) {
                    case ProgramSource.Sql sql -> ofRecorded(sql, stored);
                    case ProgramSource.OfClass of -> ofClass(of);
                };
        AcceptedProgram program;
        try {
            program = made.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof UnreadablePlanException unreadable) {
                throw unreadable;
            }
            throw new ProgramInvalidException(mistake(failed), failed);
        }
        stored.requireSame(program);
        return program;
    }

    /**
     * Builds the plan that the store has, if any, for {@link #stored} to find it built. Of a class nothing is fetched.
     *
     * @throws UnreadablePlanException as {@link #stored}
     */
    public void prepareRecorded(StoredProgram stored) {
        if (stored.isPlanned()) {
            stored(stored);
        }
    }

    /** Has it made anew where it is asked for next. */
    public synchronized void forget(ProgramSource source) {
        known.keySet().removeIf(one -> one.digest().equals(digest(source)));
    }

    private synchronized @Nullable CompletableFuture<AcceptedProgram> known(Known key) {
        return known.get(key);
    }

    private CompletableFuture<AcceptedProgram> remember(Known key, CompletableFuture<AcceptedProgram> made) {
        known.put(key, made);
        if (known.size() > KNOWN_MAX) {
            known.remove(known.keySet().iterator().next());
        }
        return made;
    }

    private synchronized CompletableFuture<AcceptedProgram> ofText(
            ProgramSource.Sql sql, RepeatedKeys repeated, StoredProgram stored) {
        return stored.isPlanOf(digest(sql), repeated) ? ofRecorded(sql, stored) : planned(sql, repeated);
    }

    private synchronized CompletableFuture<AcceptedProgram> planned(ProgramSource.Sql sql, RepeatedKeys repeated) {
        String digest = digest(sql);
        CompletableFuture<AcceptedProgram> made;
        try {
            SqlProgram program = planner.plan(sql.text(), repeated, sql.outputKeys());
            int bytes = program.recorded().length;
            if (bytes > PLAN_BYTES_MAX) {
                throw new SqlException(
                        0,
                        0,
                        "its plan takes " + bytes + " bytes, and the store takes " + PLAN_BYTES_MAX
                                + "; leave views out, or let a second cluster compute some of them");
            }
            made = CompletableFuture.completedFuture(new AcceptedProgram(digest, sql, repeated, program));
        } catch (SqlException mistake) {
            made = CompletableFuture.failedFuture(
                    new ProgramInvalidException("The program does not compile: " + mistake.getMessage(), mistake));
        }
        return remember(new Known(digest, repeated), made);
    }

    /** One that can not be used is not remembered: it may be another one later. */
    private synchronized CompletableFuture<AcceptedProgram> ofRecorded(ProgramSource.Sql sql, StoredProgram stored) {
        if (!stored.isPlanned()) {
            return planned(sql, stored.repeatedKeys()).thenApply(stored::requireKept);
        }
        String digest = digest(sql);
        String planDigest = stored.circuit().getPlanDigest();
        Built before = built;
        try {
            AcceptedProgram program = before != null
                            && before.planDigest().equals(planDigest)
                            && before.program().digest().equals(digest)
                    ? before.program()
                    : new AcceptedProgram(digest, sql, stored.repeatedKeys(), stored.planned());
            built = new Built(planDigest, program);
            return remember(new Known(digest, stored.repeatedKeys()), CompletableFuture.completedFuture(program));
        } catch (UnreadablePlanException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }

    private synchronized CompletableFuture<AcceptedProgram> ofClass(ProgramSource.OfClass source) {
        String digest = digest(source);
        Known key = new Known(digest, RepeatedKeys.UPSERTED);
        CompletableFuture<AcceptedProgram> before = known.get(key);
        return before == null ? remember(key, build(digest, source)) : before;
    }

    private CompletableFuture<AcceptedProgram> build(String digest, ProgramSource.OfClass source) {
        return jars.fetch(source.jar())
                .whenComplete((jar, failure) -> {
                    if (failure != null) {
                        environment.schedule(FETCH_AGAIN_MILLIS, () -> forget(source));
                    }
                })
                .thenCompose(jar -> build(jar, source))
                .thenApply(built -> new AcceptedProgram(digest, source, RepeatedKeys.UPSERTED, built));
    }

    /** A class that does not return keeps its thread, which nobody can end, and is never begun again. */
    private CompletableFuture<ClassProgram> build(Path jar, ProgramSource.OfClass source) {
        String className = source.className();
        CompletableFuture<ClassProgram> built = new CompletableFuture<>();
        Thread thread = environment.threads().newThread(() -> {
            try {
                built.complete(ClassProgram.load(jar, className, source.outputKeys()));
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

    /** The jar of the program in force, as a read of the transaction; empty where it has none. */
    public static CompletableFuture<Set<String>> jars(ReadTransaction transaction, DataflowStore store) {
        return DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                .thenApply(circuit -> circuit.hasClassProgram()
                        ? Set.of(circuit.getClassProgram().getJar())
                        : Set.of());
    }
}
