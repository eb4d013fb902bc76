/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Lines about what is queued: how fast it is taken by those who have nothing else to do. */
final class QueueLines {

    /** A queue that takes longer is broken, not slow. */
    private static final Duration DRAIN = Duration.ofMinutes(5);

    /** So many results of a deep queue are waited for. */
    private static final int FIRST = 10_000;

    /** Commits that the store has refused because another one has changed what they had read. */
    private static final String CONFLICTS = "ratchet_store_errors_total{code=\"1020\"}";

    private QueueLines() {}

    /** How fast futures are drained when many more wait behind them. */
    static void depth(Subject subject) throws Exception {
        int many = subject.extent().quick() ? 100_000 : 1_000_000;
        for (int depth : new int[] {Math.min(FIRST, subject.extent().together()), many}) {
            SubmitOptions options = SubmitOptions.ofJob("depth-" + depth);
            Queued queued = queue(subject, options, () -> subject.map(options, depth));
            drain(subject, "drained from a queue of", Math.min(FIRST, depth), queued);
        }
    }

    /** How fast futures that are claimed one by one are drained by so many workers, and how often two of them meet. */
    static void claims(Subject subject) throws Exception {
        int count = Math.min(20_000, subject.extent().together());
        SubmitOptions options = SubmitOptions.ofJob("claims");
        Queued queued = queue(subject, options, () -> IntStream.range(0, count)
                .mapToObj(number -> subject.ratchet().submit(options, Work.returning(number)))
                .toList());
        double conflicts = subject.cluster().storeMetric(CONFLICTS);
        double claims = subject.claims();
        drain(subject, "claimed from one queue", count, queued);
        conflicts = subject.cluster().storeMetric(CONFLICTS) - conflicts;
        claims = subject.claims() - claims;
        subject.rate("claims for all", count, claims, 0);
        subject.rate("conflicts meanwhile", count, conflicts, 0);
    }

    /** What waits behind guards that have every slot until a file is gone. */
    private record Queued(Path gate, List<DurableFuture<Integer>> guards, List<DurableFuture<Integer>> futures) {}

    private static Queued queue(Subject subject, SubmitOptions options, Supplier<List<DurableFuture<Integer>>> submit)
            throws Exception {
        Path gate = Files.createTempFile("ratchet-bench-gate", "");
        List<DurableFuture<Integer>> guards = new ArrayList<>();
        for (int i = 0; i < subject.slots(); i++) {
            guards.add(subject.ratchet().submit(options, Work.waitingFor(gate.toString())));
        }
        List<DurableFuture<Integer>> futures = submit.get();
        CompletableFuture.allOf(futures.stream()
                        .map(future -> future.submitted().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .join();
        return new Queued(gate, guards, futures);
    }

    /** A line for the first results of what is queued. */
    private static void drain(Subject subject, String what, int first, Queued queued) throws Exception {
        subject.once(what, queued.futures().size(), first, () -> {
            Files.delete(queued.gate());
            int done = subject.ratchet()
                    .await(queued.futures(), first, DRAIN)
                    .done()
                    .size();
            if (done < first) {
                throw new IllegalStateException("Only " + done + " of " + first + " are here after " + DRAIN);
            }
            return null;
        });
        Subject.requireNumbered(queued.futures()).join();
        Subject.allOf(queued.guards()).join();
    }
}
