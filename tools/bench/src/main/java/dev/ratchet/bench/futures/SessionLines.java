/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Latencies;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sessions of named slots that are opened and closed by many at once, where slots are free. */
final class SessionLines {

    static final Shape SHAPE = Shape.of(4);

    private static final int CALLERS = 64;
    private static final int SLOTS = 250;
    private static final String RESOURCE = "gpu";

    /** Compilers of six processes take most of two processors for more than a minute. */
    private static final int WARM_UPS = 4;

    /** Workers may not have heard of their slots yet. */
    private static final SessionOptions OPTIONS =
            SessionOptions.ofSlot(RESOURCE).waitingForCapacity();

    private SessionLines() {}

    /** How many sessions per second, how long the opening takes beside a commit, and how many commits conflict. */
    static void sessions(Subject subject) throws Exception {
        subject.cluster().offerSlots(Map.of(RESOURCE, SLOTS));
        subject.ratchet().sessions().open(OPTIONS).close();
        double commitMicros = CallLines.commit(subject).latencies().percentileNanos(0.5) / 1e3;
        double conflictsBefore = subject.conflicts();
        double commitsBefore = subject.commits();
        Latencies opening = new Latencies();
        ClosedLoop.Result result;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            result = subject.loop(
                    "session opened and closed",
                    CALLERS,
                    CALLERS,
                    WARM_UPS * subject.extent().millis(),
                    () -> CompletableFuture.runAsync(() -> openAndClose(subject.ratchet(), opening), callers));
        }
        if (result.failed() > 0) {
            throw new IllegalStateException(result.failed() + " sessions could not be opened and closed");
        }
        subject.times("session opened", CALLERS, opening);
        subject.rate("opening, in commits", CALLERS, opening.percentileNanos(0.5) / 1e3 / commitMicros, 0);
        double commits = subject.commits() - commitsBefore;
        subject.rate("commits that conflict, %", CALLERS, 100 * (subject.conflicts() - conflictsBefore) / commits, 0);
        subject.requireCheckedClean();
    }

    private static void openAndClose(Ratchet ratchet, Latencies opening) {
        try {
            long began = System.nanoTime();
            try (Session session = ratchet.sessions().open(OPTIONS)) {
                opening.add(System.nanoTime() - began);
            }
        } catch (InterruptedException interrupted) {
            throw new CompletionException(interrupted);
        }
    }
}
