/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.ViewFollowing;
import dev.ratchet.feeds.RowObjects;
import dev.ratchet.futures.gateway.ViewFollower;
import dev.ratchet.futures.gateway.ViewSource;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Where futures and circuits meet: gives the rows of views to the gateway of futures. Safe for use by several threads.
 */
final class CircuitViews implements ViewSource {

    private static final int ROWS_MAX = 1_000_000;

    private final Supplier<ViewAnswers> circuit;
    private final Executor blocking;

    /** What is to be asked. */
    private interface Question<T> {
        T ask(ViewAnswers answers) throws InterruptedException, IOException;
    }

    /**
     * @param circuit of this worker; fails with a status where it has none
     * @param blocking runs what waits for the circuit
     */
    CircuitViews(Supplier<ViewAnswers> circuit, Executor blocking) {
        this.circuit = circuit;
        this.blocking = blocking;
    }

    @Override
    public CompletableFuture<ViewSnapshot> read(String view) {
        return ask(answers -> snapshot(answers.read(view)));
    }

    @Override
    public CompletableFuture<ViewSnapshot> query(String sql) {
        return ask(answers -> snapshot(answers.query(sql)));
    }

    @Override
    public CompletableFuture<Void> follow(String name, Optional<Long> after, ViewFollower follower) {
        return ask(answers -> follow(answers, answers.view(name), after, follower))
                .thenAccept(view -> {});
    }

    private static Relation follow(ViewAnswers answers, Relation view, Optional<Long> after, ViewFollower follower)
            throws InterruptedException, IOException {
        try (ViewFollowing following = answers.follow(view, after)) {
            following.tell(new FollowedSteps(view, follower), follower::hasEnded);
        }
        return view;
    }

    private <T> CompletableFuture<T> ask(Question<T> question) {
        return CompletableFuture.supplyAsync(() -> answer(question), blocking)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(CircuitRefusals.told(failure)));
    }

    private <T> T answer(Question<T> question) {
        try {
            return question.ask(circuit.get());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE.withDescription("The worker ends").asRuntimeException();
        } catch (IOException gone) {
            throw Status.CANCELLED.withCause(gone).asRuntimeException();
        }
    }

    private static ViewSnapshot snapshot(ViewAnswers.Answer asked) {
        try (ViewAnswers.Answer answer = asked) {
            return new ViewSnapshot(answer.step(), answer.position(), rows(answer));
        }
    }

    private static List<ViewRow> rows(ViewAnswers.Answer answer) {
        Relation columns = answer.columns();
        RowObjects objects = new RowObjects(columns);
        List<ViewRow> rows = new ArrayList<>();
        OrderedRows.visit(answer.rows(), columns.key(), (row, weight) -> {
            if (rows.size() + weight > ROWS_MAX) {
                throw new IllegalArgumentException("The view has more than " + ROWS_MAX + " rows; select fewer");
            }
            ViewRow object = objects.read(row);
            for (long copy = 0; copy < weight; copy++) {
                rows.add(object);
            }
        });
        return rows;
    }
}
