/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.dataflow.query.RefusedException.Reason;
import dev.ratchet.dataflow.record.ProgramViews;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives all rows of a view, or the answer to one SELECT over views, as they are after one step: the newest that this
 * worker knows. All calls wait on their own thread and refuse by {@link RefusedException}. Safe for use by several
 * threads.
 */
public final class ViewAnswers {

    /** Beside the circuit itself, which has the other processors. */
    private static final int QUERIES_MAX = 2;

    /**
     * Bounds of what one caller takes.
     *
     * @param waitMillis until a snapshot is there
     * @param queryMillis that a query may compute
     * @param queryRows of its answer
     */
    public record Limits(long waitMillis, long queryMillis, long queryRows) {

        /** What a worker has without being told otherwise. */
        public static final Limits DEFAULT = new Limits(30_000, 10_000, 1_000_000);
    }

    /**
     * Rows of one step, to be read while it is open.
     *
     * @param position of the input log up to which the step has all input; empty where it is not known any more, and
     *     for what rests on no view
     */
    public record Answer(long step, String position, Relation columns, Batch rows, Runnable end)
            implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    private record Snapshot(long step, String position, Map<String, Batch> byView) {}

    private static final Snapshot NOTHING = new Snapshot(0, "", Map.of());

    private final ServedCircuit circuit;
    private final Limits limits;
    private final Semaphore queries = new Semaphore(QUERIES_MAX);

    public ViewAnswers(ServedCircuit circuit, Limits limits) {
        this.circuit = circuit;
        this.limits = limits;
    }

    /** The views that can be read: those of the program that runs, and that of its errors. */
    public List<Relation> views() {
        return ProgramViews.of(ProgramLookup.running(circuit));
    }

    /** A view by its name, in any case where none has it as it is written. */
    public Relation view(String name) {
        return ProgramLookup.named("view", name, views());
    }

    /**
     * Follows a view of the program that runs.
     *
     * @param after the step behind which it begins; empty: with a snapshot
     */
    public ViewFollowing follow(Relation view, Optional<Long> after) throws InterruptedException {
        return new ViewFollowing(circuit, this, view, after);
    }

    /** All rows of a view. */
    public Answer read(String name) throws InterruptedException {
        Relation view = view(name);
        Snapshot snapshot = snapshot(List.of(view.name()));
        Batch rows = Objects.requireNonNull(snapshot.byView().get(view.name()));
        return new Answer(snapshot.step(), snapshot.position(), view, rows, () -> {});
    }

    /** The answer to one SELECT over views, all of which are read after the same step. */
    public Answer query(String sql) throws InterruptedException {
        CompiledProgram program = ProgramLookup.running(circuit);
        if (!queries.tryAcquire()) {
            throw new RefusedException(Reason.BUSY, QUERIES_MAX + " queries are running", "Ask again in a second");
        }
        TimedQuery timed = new TimedQuery(limits.queryMillis(), queries::release);
        boolean isAnswered = false;
        try {
            Answer answer = query(program, sql, timed);
            isAnswered = true;
            return answer;
        } finally {
            if (!isAnswered) {
                timed.end();
            }
        }
    }

    private Answer query(CompiledProgram program, String sql, TimedQuery timed) throws InterruptedException {
        ViewQuery query = compile(program, sql);
        Snapshot snapshot = query.views().isEmpty() ? NOTHING : snapshot(query.views());
        ViewQuery.Answer found = timed.run(query, snapshot.byView());
        if (found.rows().rowCount() > limits.queryRows()) {
            found.close();
            throw new RefusedException(
                    Reason.TOO_LARGE,
                    "The answer has " + found.rows().rowCount() + " rows, the limit is " + limits.queryRows(),
                    "Select fewer, or make a view of the query and follow it");
        }
        return new Answer(snapshot.step(), snapshot.position(), found.columns(), found.rows(), () -> {
            found.close();
            timed.end();
        });
    }

    private static ViewQuery compile(CompiledProgram program, String sql) {
        try {
            return ViewQuery.compile(ProgramViews.of(program), sql);
        } catch (SqlException mistake) {
            RefusedException refused = new RefusedException(
                    Reason.MISTAKE,
                    String.valueOf(mistake.getMessage()),
                    "Send one SELECT over the views of the program");
            throw mistake.line() == 0
                    ? refused
                    : refused.detail("line", mistake.line()).detail("column", mistake.column());
        }
    }

    private Snapshot snapshot(List<String> views) throws InterruptedException {
        ViewEvents events = new ViewEvents();
        ViewEvent first;
        try (Reading reading = circuit.views().snapshot(views, events)) {
            reading.request(1);
            first = events.poll(limits.waitMillis());
        }
        if (first instanceof ViewEvent.Rows rows) {
            return new Snapshot(rows.step(), position(rows.step()), rows.byView());
        }
        if (first instanceof ViewEvent.Failed failed) {
            throw new RefusedException(Reason.TOO_LARGE, failed.reason(), "Read less at once, or follow the view");
        }
        throw ProgramLookup.notRunning(
                circuit, "The circuit has not given its rows within " + limits.waitMillis() + " ms");
    }

    /** The position of the input log up to which a step has all input; empty where it is not known any more. */
    String position(long step) throws InterruptedException {
        return answerOfStore(circuit.inputOf(step)).orElse("");
    }

    /** The last step that the circuit has. */
    long lastStep() throws InterruptedException {
        return answerOfStore(circuit.lastStep());
    }

    private <T> T answerOfStore(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(limits.waitMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw ProgramLookup.notRunning(circuit, "The store has not answered within " + limits.waitMillis() + " ms");
        } catch (ExecutionException failed) {
            throw ProgramLookup.notRunning(circuit, "The store can not be used now: " + failed.getCause());
        }
    }
}
