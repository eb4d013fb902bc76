/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lines about a look at the queue that finds something, whatever waits behind it. */
final class BacklogLines {

    private static final int FEW = 10_000;
    private static final int ROUNDS = 20;
    private static final int PORTION = 1_000_000;
    private static final int SAMPLE = 1_000;

    private BacklogLines() {}

    /** How long workers take for a look where little waits, and where very much does. */
    static void backlog(Subject subject) throws Exception {
        SubmitOptions few = SubmitOptions.ofJob("few");
        int rounds = subject.extent().quick() ? ROUNDS / 4 : ROUNDS;
        round(subject, few);
        Looks before = Looks.of(subject);
        for (int round = 0; round < rounds; round++) {
            round(subject, few);
        }
        Looks.of(subject).since(before, subject, FEW);

        int count = subject.extent().backlog();
        SubmitOptions many = SubmitOptions.ofJob("backlog");
        QueueLines.Queued guarded = QueueLines.queue(subject, many, List::of);
        for (int queued = 0; queued < count; queued += PORTION) {
            // Each by a program that leaves again: what it has submitted stays, what it remembers of that goes.
            try (Ratchet program = subject.connect()) {
                QueueLines.requireSubmitted(Subject.map(program, many, Math.min(PORTION, count - queued)));
            }
        }
        before = Looks.of(subject);
        guarded.open();
        Thread.sleep(subject.extent().millis());
        Looks.of(subject).since(before, subject, count);
        requireNumbers(subject, count);
    }

    private static void round(Subject subject, SubmitOptions options) throws Exception {
        QueueLines.Queued queued = QueueLines.queue(subject, options, () -> subject.map(options, FEW));
        queued.open();
        Subject.requireNumbered(queued.futures()).join();
        Subject.allOf(queued.guards()).join();
    }

    /** Of those that have ended some are looked at. */
    private static void requireNumbers(Subject subject, int count) throws InterruptedException {
        List<Integer> results = new ArrayList<>();
        for (var info : subject.ratchet()
                .list(FutureQuery.ofJob("backlog").withStates(FutureState.REALIZED))
                .limit(SAMPLE)
                .toList()) {
            results.add(subject.ratchet().<Integer>future(info.id()).get());
        }
        if (results.isEmpty()
                || !results.stream().allMatch(result -> result >= 0 && result < Math.min(PORTION, count))) {
            throw new IllegalStateException("Results of the backlog are not what they should be: " + results);
        }
    }

    /** What workers have counted. */
    private record Looks(double looks, double seconds) {

        static Looks of(Subject subject) throws IOException, InterruptedException {
            return new Looks(subject.claims(), subject.ofWorkers("ratchet_futures_claim_seconds_total"));
        }

        void since(Looks before, Subject subject, int waiting) {
            double micros = (seconds - before.seconds) * 1e6 / (looks - before.looks);
            subject.rate("µs of a look at the queue", waiting, micros, 0);
        }
    }
}
