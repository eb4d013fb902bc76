/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.environment.Environment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands what a reading is told to the thread that takes it, which requests one thing at a time and follows a step that
 * it knows.
 */
public final class ReadingEvents implements ViewListener {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** What a reading was told. */
    public sealed interface Event {}

    public record Changes(long step, Map<String, Batch> rows) implements Event {}

    public record Progress(long step) implements Event {}

    public record Expired(long oldestStep) implements Event {}

    public record Failed(String reason) implements Event {}

    private final Environment environment;
    private final Signal signal = new Signal();
    private final Queue<Event> told = new ArrayDeque<>();

    public ReadingEvents(Environment environment) {
        this.environment = environment;
    }

    /** Waits for the next thing; null once {@code ends}. */
    public @Nullable Event next(BooleanSupplier ends) {
        while (!ends.getAsBoolean()) {
            synchronized (told) {
                Event next = told.poll();
                if (next != null) {
                    return next;
                }
            }
            signal.await();
        }
        return null;
    }

    /** Sleeps, but no longer than until {@code ends}. */
    public void pause(long millis, BooleanSupplier ends) {
        long end = environment.nanoTime() + NANOS_PER_MILLI * millis;
        environment.schedule(millis, signal::raise);
        while (!ends.getAsBoolean() && environment.nanoTime() - end < 0) {
            signal.await();
        }
    }

    public void wake() {
        signal.raise();
    }

    /** Forgets what a former reading was told. */
    public void clear() {
        synchronized (told) {
            told.clear();
        }
    }

    private void tell(Event event) {
        synchronized (told) {
            told.add(event);
        }
        signal.raise();
    }

    @Override
    public void snapshot(long step, Map<String, Batch> rows) {
        throw new IllegalStateException("Nobody asked for a snapshot");
    }

    @Override
    public void changes(long step, Map<String, Batch> rows) {
        tell(new Changes(step, rows));
    }

    @Override
    public void progress(long step) {
        tell(new Progress(step));
    }

    @Override
    public void expired(long oldestStep) {
        tell(new Expired(oldestStep));
    }

    @Override
    public void failed(String reason) {
        tell(new Failed(reason));
    }
}
