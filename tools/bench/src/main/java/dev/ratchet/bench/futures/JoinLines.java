/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.submit.TransactionalFutures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lines about what futures add to transactions: to those that record the inputs of a join, and to their user's. */
final class JoinLines {

    /** Futures that one task takes, at most. */
    private static final int UPSTREAMS_MAX = 2_000;

    private static final int INPUTS = 100_000;
    private static final int INPUTS_QUICK = 10_000;

    private static final int TIMES_MIN = 20;
    private static final int WRITES = 10;
    private static final int WRITTEN_BYTES = 100;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private JoinLines() {}

    /** What it takes to join so many futures, each with a record of its own, and that they end. */
    static void join(Subject subject) throws Exception {
        int count = subject.extent().quick() ? INPUTS_QUICK : INPUTS;
        double without = ends(subject, count, false);
        double with = ends(subject, count, true);
        subject.rate("changes at an end", count, without / count, 0);
        subject.rate("more where it is joined", count, (with - without) / count, 0);
    }

    /** Changes of the store from the first to the last end of so many futures. */
    private static double ends(Subject subject, int count, boolean joined) throws Exception {
        SubmitOptions options = SubmitOptions.ofJob(joined ? "joined" : "not-joined");
        QueueLines.Queued queued =
                QueueLines.queue(subject, options, () -> QueueLines.oneByOne(subject, options, count));
        double mutations = mutations(subject);
        List<DurableFuture<Long>> sums = new ArrayList<>();
        for (int from = 0; joined && from < count; from += UPSTREAMS_MAX) {
            sums.add(subject.ratchet()
                    .reduce(
                            options,
                            queued.futures().subList(from, Math.min(count, from + UPSTREAMS_MAX)),
                            BenchTasks.partSum()));
        }
        if (joined) {
            DurableFuture<Long> sum = subject.ratchet().reduce(options, sums, BenchTasks.longSum());
            QueueLines.requireSubmitted(sums);
            sum.submitted().toCompletableFuture().join();
            subject.rate("changes to join one", count, (mutations(subject) - mutations) / count, 0);
            mutations = mutations(subject);
            double watches = watches(subject);
            subject.once("join of stored futures", count, count, () -> {
                queued.open();
                long told = sum.get(QueueLines.DRAIN);
                if (told != (long) count * (count - 1) / 2) {
                    throw new IllegalStateException("The sum of 0 to " + (count - 1) + " is not " + told);
                }
                return null;
            });
            subject.rate("watches meanwhile", count, watches(subject) - watches, 0);
        }
        queued.open();
        Subject.requireNumbered(queued.futures()).join();
        Subject.allOf(queued.guards()).join();
        return mutations(subject) - mutations;
    }

    private static double mutations(Subject subject) throws Exception {
        return subject.cluster().storeMetric("ratchet_store_mutations_total");
    }

    private static double watches(Subject subject) throws Exception {
        return subject.cluster().storeMetric("ratchet_store_requests_total{kind=\"watch\"}");
    }

    /** A transaction that writes ten keys, and by turns the same with a future in it, while no other one runs. */
    static void transactional(Subject subject) throws Exception {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            TransactionalFutures futures = new TransactionalFutures(
                    subject.cluster().database(), subject.cluster().keyspace(), environment);
            SubmitOptions options = SubmitOptions.ofJob("transactional");
            Latencies alone = new Latencies();
            Latencies with = new Latencies();
            long began = System.nanoTime();
            long warm = began + subject.extent().millis() * 1_000_000 / 4;
            long end = began + subject.extent().millis() * 1_000_000 * 5 / 4;
            int number = 0;
            for (long now = began; now < end || with.count() < TIMES_MIN; now = System.nanoTime()) {
                NamedTask task = new NamedTask("java.lang.Integer", "valueOf", Integer.toString(++number));
                FutureId id = FutureId.random();
                long first = System.nanoTime();
                subject.cluster().database().run(JoinLines::write);
                long second = System.nanoTime();
                subject.cluster().database().run(transaction -> {
                    write(transaction);
                    return futures.submit(transaction, id, options, List.of(), task)
                            .join();
                });
                long third = System.nanoTime();
                if (now > warm) {
                    alone.add(second - first);
                    with.add(third - second);
                }
                int result = subject.ratchet().<Integer>future(id).get(LIMIT);
                if (result != number) {
                    throw new IllegalStateException("The task of " + number + " has returned " + result);
                }
            }
            subject.times("ten writes", WRITTEN_BYTES, alone);
            subject.times("the same and a future", WRITTEN_BYTES, with);
        }
    }

    private static boolean write(Transaction transaction) {
        for (int number = 0; number < WRITES; number++) {
            transaction.set(Tuple.from("bench", "user", number).pack(), new byte[WRITTEN_BYTES]);
        }
        return true;
    }
}
