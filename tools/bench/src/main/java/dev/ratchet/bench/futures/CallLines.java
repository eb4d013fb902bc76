/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.calls.CallRuns;
import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Lines about calls, and about what calls are beside. */
final class CallLines {

    private CallLines() {}

    /** What peers are measured by too. */
    static void calls(Subject subject) throws InterruptedException {
        Extent extent = subject.extent();
        new CallRuns(subject, extent.millis(), subject.report()::add).all(extent.together());
    }

    /** As many callers as in the calls, in programs that share nothing on their side. */
    static void programs(Subject subject) throws Exception {
        int programs = 50;
        List<Ratchet> connections = new ArrayList<>();
        try {
            for (int i = 0; i < programs; i++) {
                connections.add(subject.connect());
            }
            AtomicInteger numbers = new AtomicInteger();
            subject.loop("callers of 50 programs", 1, 20 * programs, () -> {
                int number = numbers.getAndIncrement();
                return Subject.call(connections.get(Math.floorMod(number, programs)), number);
            });
        } finally {
            connections.forEach(Ratchet::close);
        }
    }

    /** One transaction of the same store, which every durable call needs at least. */
    static ClosedLoop.Result commit(Subject subject) throws InterruptedException {
        byte[] key = Tuple.from("bench", "commit").pack();
        byte[] value = new byte[300];
        return subject.waiting(
                "one commit", value.length, () -> subject.cluster().database().run(transaction -> {
                    transaction.set(key, value);
                    return value;
                }));
    }

    /** Tasks that are not said to be short, of a program that waits for each. */
    static void unmarked(Subject subject) throws InterruptedException {
        SubmitOptions options = SubmitOptions.ofJob("unmarked");
        subject.waiting("not marked as short", 1, () -> subject.ratchet()
                .submit(options, BenchTasks.returning(1))
                .get());
    }

    /** Values that are told before they are recorded, by turns with others of a program that waits for each. */
    static void speculative(Subject subject) throws InterruptedException {
        SubmitOptions recorded = SubmitOptions.ofJob("recorded").withShortTask();
        SubmitOptions told = SubmitOptions.ofJob("told").withSpeculativeValue();
        for (int turn = 0; turn < 3; turn++) {
            subject.waiting("one after the other", 1, () -> subject.ratchet()
                    .submit(recorded, BenchTasks.returning(1))
                    .get());
            subject.waiting("one after the other, speculative", 1, () -> subject.ratchet()
                    .submit(told, BenchTasks.returning(1))
                    .get());
        }
    }

    /** How many commits a chain takes, and what is given out and gathered in. */
    static void graphs(Subject subject) throws Exception {
        double before = subject.commits();
        int chains = 20;
        for (int i = 0; i < chains; i++) {
            subject.chain(100).join();
        }
        subject.rate("commits of a chain", 100, (subject.commits() - before) / chains, 0);
        SubmitOptions options = SubmitOptions.ofJob("fan");
        subject.loop("fan out and in", 1_000, 1, () -> subject.ratchet()
                .reduce(options, subject.map(options, 1_000), BenchTasks.sum())
                .toCompletableFuture());
        subject.once("await one by one", 1_000, 1_000, () -> {
            for (DurableFuture<Integer> future : subject.map(options, 1_000)) {
                future.get();
            }
            return null;
        });
    }

    /** Calls of one actor, whose state is recorded with each. */
    static void actors(Subject subject) throws InterruptedException {
        Actor<int[]> actor = subject.ratchet().actor("counter", BenchTasks.counter());
        subject.waiting("actor call", 1, () -> actor.call(BenchTasks.count()).get());
        subject.loop("actor call", 1, 100, () -> actor.call(BenchTasks.count()).toCompletableFuture());
    }
}
