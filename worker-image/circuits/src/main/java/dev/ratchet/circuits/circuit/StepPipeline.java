/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a circuit on a thread of their own, so that its caller adds the rows of the next step meanwhile:
 * one step at a time, in order, with the same results as {@link Circuit#step}. Steps of few rows are run by the caller,
 * as telling another thread would take longer. While a step is under way, its caller may add rows to the inputs and
 * nothing else. One caller at a time.
 */
public final class StepPipeline implements AutoCloseable {

    private final Circuit circuit;
    private final ExecutorService thread;
    private @Nullable CompletableFuture<Void> running;

    /** @param circuit stays the caller's, to be closed behind this */
    public StepPipeline(Circuit circuit) {
        this.circuit = circuit;
        // One of Executors would be kept by its cleaner, with all that its factory knows, where nobody closes this:
        // in a process that is simulated and killed.
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                circuit.options().threads());
    }

    /**
     * Begins a step with what was added since the last, which {@link #await} has ended.
     *
     * @param then follows the step, before {@code await} returns, and may read what it has changed
     */
    public void begin(Runnable then) {
        if (running != null) {
            throw new IllegalStateException("A step is under way; await it before the next");
        }
        circuit.begin();
        Runnable step = () -> {
            circuit.finish();
            then.run();
        };
        boolean isSmall = circuit.rows() <= circuit.options().smallStepRows();
        running = CompletableFuture.runAsync(step, isSmall ? Runnable::run : thread);
    }

    /** Whether a step runs that was begun. */
    public boolean isUnderWay() {
        return running != null && !running.isDone();
    }

    /** Has something called when the step that was begun is over, whatever becomes of it; at once where it is. */
    public void onEnd(Runnable over) {
        CompletableFuture<Void> step = running;
        if (step == null) {
            over.run();
        } else {
            step.whenComplete((done, failure) -> over.run());
        }
    }

    /**
     * Waits for the step that was begun, if any, and for what follows it; throws what either has thrown.
     *
     * @throws StepRejectedException as {@link Circuit#step}; rows that were added since for the next are dropped, too
     */
    public void await() {
        CompletableFuture<Void> step = running;
        running = null;
        if (step == null) {
            return;
        }
        if (!step.isDone()) {
            circuit.prepare();
        }
        try {
            step.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            if (failed.getCause() instanceof StepRejectedException) {
                circuit.discard();
            }
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Waits for the step that is under way, whatever becomes of it, and ends the thread. */
    @Override
    public void close() {
        CompletableFuture<Void> step = running;
        running = null;
        if (step != null) {
            step.exceptionally(whatever -> null).join();
        }
        thread.shutdown();
    }
}
