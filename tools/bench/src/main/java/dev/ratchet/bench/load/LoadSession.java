/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one client process works with: a connection, a bounded number of futures under way, and the line to whoever
 * keeps the ledger. A promise is told when its future is acknowledged, never before, and what comes of it is judged
 * here too.
 */
final class LoadSession {

    /** Tenants take turns; effects are kept by tenant. */
    static final List<String> TENANTS = List.of("load-a", "load-b", "load-c");

    /** Kills cost attempts, and no future is to fail for that. */
    private static final int RETRIES = 500;

    private static final int LARGE_KEPT = 24;

    private final Ratchet ratchet;
    private final String job;
    private final RandomGenerator random;
    private final Semaphore window;
    private final PrintStream ledger;
    private final Deque<DurableFuture<?>> large = new ArrayDeque<>();

    LoadSession(Ratchet ratchet, String job, RandomGenerator random, int window, PrintStream ledger) {
        this.ratchet = ratchet;
        this.job = job;
        this.random = random;
        this.window = new Semaphore(window);
        this.ledger = ledger;
    }

    Ratchet ratchet() {
        return ratchet;
    }

    RandomGenerator random() {
        return random;
    }

    /** Waits until so many more futures may be under way. */
    void enter(int futures) throws InterruptedException {
        window.acquire(futures);
    }

    SubmitOptions options() {
        SubmitOptions options = SubmitOptions.ofJob(job)
                .withTenant(TENANTS.get(random.nextInt(TENANTS.size())))
                .withPriority(random.nextInt(-2, 3))
                .withMaxRetries(RETRIES);
        return random.nextInt(10) == 0 ? options.withDelay(Duration.ofMillis(random.nextInt(1_500))) : options;
    }

    /** Tells the promise when it is acknowledged, and what is wrong when it is not kept. */
    void promise(DurableFuture<?> future, Promise promise) {
        future.submitted().whenComplete((recorded, failure) -> {
            if (failure == null) {
                tell("promised " + promise.line());
            }
        });
        future.durable().whenComplete((value, failure) -> {
            window.release();
            judge(promise, value, failure);
        });
        if (future.durable() != future) {
            // What is told early is what will be recorded: these tasks are deterministic.
            future.whenComplete((value, failure) -> judge(promise, value, failure));
        }
    }

    private void judge(Promise promise, @Nullable Object value, @Nullable Throwable failure) {
        String complaint = promise.complaint(value, cause(failure));
        if (complaint != null) {
            tell("wrong " + complaint);
        }
    }

    /** Keeps only the youngest large results, so that the disk does not limit how long the test may run. */
    void keep(DurableFuture<?> result) {
        DurableFuture<?> oldest;
        synchronized (large) {
            large.add(result);
            if (large.size() <= LARGE_KEPT) {
                return;
            }
            oldest = large.remove();
        }
        tell("withdrawn " + oldest.id());
        Thread.ofVirtual().start(() -> ratchet.deleteAll(List.of(oldest)));
    }

    /** One line for the ledger; a line without its end does not count. */
    void tell(String line) {
        synchronized (ledger) {
            ledger.print(line + " ;\n");
            ledger.flush();
        }
    }

    static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
