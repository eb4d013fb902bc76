/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.calls.CallRuns;
import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The lines about one cluster, each group for itself. */
enum Row {
    /** What peers are measured by too. */
    CALLS {
        @Override
        void measure(Subject subject) throws InterruptedException {
            Extent extent = subject.extent();
            new CallRuns(subject, extent.millis(), subject.report()::add).all(extent.together());
        }
    },
    /** As many callers as in the calls, in programs that share nothing on their side. */
    PROGRAMS {
        @Override
        void measure(Subject subject) throws Exception {
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
    },
    /** One transaction of the same store, which every durable call needs at least. */
    COMMIT {
        @Override
        void measure(Subject subject) throws InterruptedException {
            byte[] key = Tuple.from("bench", "commit").pack();
            byte[] value = new byte[300];
            subject.loop("one commit", value.length, 1, () -> subject.cluster()
                    .database()
                    .runAsync(transaction -> {
                        transaction.set(key, value);
                        return CompletableFuture.completedFuture(null);
                    }));
        }
    },
    /** Tasks that are not said to be short, of a program that waits for each. */
    UNMARKED {
        @Override
        void measure(Subject subject) throws InterruptedException {
            SubmitOptions options = SubmitOptions.ofJob("unmarked");
            subject.loop("not marked as short", 1, 1, () -> subject.ratchet()
                    .submit(options, Work.returning(1))
                    .toCompletableFuture());
        }
    },
    /** How many commits a chain takes, and what is given out and gathered in. */
    GRAPHS {
        @Override
        void measure(Subject subject) throws Exception {
            double before = subject.commits();
            int chains = 20;
            for (int i = 0; i < chains; i++) {
                subject.chain(100).join();
            }
            subject.rate("commits of a chain", 100, (subject.commits() - before) / chains, 0);
            SubmitOptions options = SubmitOptions.ofJob("fan");
            subject.loop("fan out and in", 1_000, 1, () -> subject.ratchet()
                    .reduce(options, subject.map(options, 1_000), Work.sum())
                    .toCompletableFuture());
            subject.once("await one by one", 1_000, 1_000, () -> {
                for (DurableFuture<Integer> future : subject.map(options, 1_000)) {
                    future.get();
                }
                return null;
            });
        }
    },
    /** Calls of one actor, whose state is recorded with each. */
    ACTORS {
        @Override
        void measure(Subject subject) throws InterruptedException {
            Actor<int[]> actor = subject.ratchet().actor("counter", Work.counter());
            subject.loop("actor call", 1, 1, () -> actor.call(Work.count()).toCompletableFuture());
            subject.loop("actor call", 1, 100, () -> actor.call(Work.count()).toCompletableFuture());
        }
    },
    /** How fast futures are drained when many more wait behind them. */
    DEPTH {
        @Override
        void measure(Subject subject) throws Exception {
            for (int depth : subject.extent().quick() ? new int[] {10_000, 100_000} : new int[] {10_000, 1_000_000}) {
                drain(subject, depth, 10_000);
            }
        }

        private void drain(Subject subject, int depth, int first) throws Exception {
            Path gate = Files.createTempFile("ratchet-bench-gate", "");
            SubmitOptions options = SubmitOptions.ofJob("depth-" + depth);
            List<DurableFuture<Integer>> guards = new ArrayList<>();
            for (int i = 0; i < 2 * subject.cluster().size(); i++) {
                guards.add(subject.ratchet().submit(options, Work.waitingFor(gate.toString())));
            }
            List<DurableFuture<Integer>> futures = subject.map(options, depth);
            CompletableFuture.allOf(futures.stream()
                            .map(future -> future.submitted().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .join();
            subject.once("drained from a queue of", depth, first, () -> {
                Files.delete(gate);
                return subject.ratchet().await(futures, first, Duration.ofMinutes(2));
            });
            Subject.allOf(futures).join();
            Subject.allOf(guards).join();
        }
    },
    /** How long it takes to list a few of very many futures, and to forget all of them once their retention is over. */
    MANY {
        @Override
        void measure(Subject subject) throws Exception {
            int count = subject.extent().together();
            String job = "many";
            try (Ratchet program = subject.connect()) {
                SubmitOptions options = SubmitOptions.ofJob(job).withTenant(job).withRetention(Duration.ofSeconds(1));
                Subject.allOf(Subject.map(program, options, count)).join();
                pages(subject, "first page of 1,000", count, FutureQuery.all());
                pages(subject, "the same of a job", count, FutureQuery.ofJob(job));
                pages(
                        subject,
                        "the same of a tenant and state",
                        count,
                        FutureQuery.all().withTenant(job).withStates(FutureState.REALIZED));
            }
            // What the program held is forgotten some time after it has left.
            long left = count;
            while (left == count) {
                Thread.sleep(100);
                left = remaining(subject, job);
            }
            subject.once("forgotten", count, left, () -> {
                while (remaining(subject, job) > 0) {
                    Thread.sleep(10);
                }
                return null;
            });
        }

        private static void pages(Subject subject, String what, int count, FutureQuery query) {
            Latencies times = new Latencies();
            for (int round = 0; round < PAGES; round++) {
                long began = System.nanoTime();
                if (subject.ratchet().list(query).limit(1_000).toList().size() != 1_000) {
                    throw new IllegalStateException("Fewer than 1,000 futures are listed of " + count);
                }
                times.add(System.nanoTime() - began);
            }
            subject.times(what, count, times);
        }

        private static long remaining(Subject subject, String job) {
            return subject.ratchet().summary(job).states().values().stream()
                    .mapToLong(futures -> futures)
                    .sum();
        }
    },
    /** Values that go from the client to workers and back: small ones are put together, large ones one by one. */
    VALUES {
        @Override
        void measure(Subject subject) throws Exception {
            for (int bytes : new int[] {1_000, 1_000_000, 100_000_000}) {
                int count = bytes > 10_000_000 ? 10 : bytes > 10_000 ? 100 : 1_000;
                byte[] value = new byte[bytes];
                new SplittableRandom(1).nextBytes(value);
                List<DurableFuture<byte[]>> put = new ArrayList<>();
                subject.once("put", bytes, count, () -> {
                    for (int i = 0; i < count; i++) {
                        put.add(subject.ratchet().put(value));
                        if (bytes > 10_000) {
                            put.getLast().submitted().toCompletableFuture().join();
                        }
                    }
                    put.forEach(one -> one.submitted().toCompletableFuture().join());
                    return null;
                });
                subject.once("get", bytes, count, () -> {
                    for (DurableFuture<byte[]> one : put) {
                        subject.ratchet().<byte[]>future(one.id()).get();
                    }
                    return null;
                });
                if (bytes > 10_000_000 && subject.cluster().size() > 1) {
                    move(subject, bytes, put);
                }
                subject.ratchet().deleteAll(put);
            }
        }

        // From the workers that hold them to the first one, and from there to the second: with one copy each.
        private static void move(Subject subject, int bytes, List<DurableFuture<byte[]>> values) throws Exception {
            for (DurableFuture<byte[]> value : values) {
                subject.ratchet().transfer(value, subject.cluster().seat(0));
            }
            subject.once("from worker to worker", bytes, values.size(), () -> {
                for (DurableFuture<byte[]> value : values) {
                    subject.ratchet().transfer(value, subject.cluster().seat(1));
                }
                return null;
            });
        }
    },
    /** How long until the task of a killed worker runs again elsewhere. */
    KILL {
        @Override
        void measure(Subject subject) throws Exception {
            Latencies times = new Latencies();
            for (int round = 0; round < (subject.extent().quick() ? 5 : 20); round++) {
                times.add(runAgain(subject));
            }
            subject.times("kill -9 to running again", 1, times);
        }

        private long runAgain(Subject subject) throws Exception {
            Path trace = Files.createTempFile("ratchet-bench-kill", "");
            DurableFuture<Long> future =
                    subject.ratchet().submit(SubmitOptions.ofJob("kill"), Work.leavingTrace(trace.toString()));
            while (Files.size(trace) == 0) {
                Thread.sleep(1);
            }
            int worker = subject.cluster().numberOf(Files.readString(trace));
            long killed = System.currentTimeMillis();
            subject.cluster().worker(worker).kill();
            long ran = future.get();
            subject.cluster().startWorker(worker);
            subject.cluster().awaitReady();
            Files.delete(trace);
            return (ran - killed) * 1_000_000;
        }
    },
    /** What a cluster without work asks of the store and of processors. */
    IDLE {
        @Override
        void measure(Subject subject) throws Exception {
            int workers = subject.cluster().size();
            Thread.sleep(5_000);
            double commitsBefore = subject.commits();
            double versionsBefore =
                    subject.cluster().storeMetric("ratchet_store_requests_total{kind=\"read_version\"}");
            long cpuBefore = subject.otherCpuNanos();
            long began = System.nanoTime();
            Thread.sleep(subject.extent().quick() ? 20_000 : 60_000);
            double seconds = (System.nanoTime() - began) / 1e9;
            double cpu = (subject.otherCpuNanos() - cpuBefore) / 1e3 / seconds / workers;
            double versions = subject.cluster().storeMetric("ratchet_store_requests_total{kind=\"read_version\"}");
            subject.rate("commits of an idle worker", 0, (subject.commits() - commitsBefore) / seconds / workers, cpu);
            subject.rate("reads of an idle worker", 0, (versions - versionsBefore) / seconds / workers, cpu);
        }
    };

    private static final int PAGES = 50;

    /** Adds its lines to the report. */
    abstract void measure(Subject subject) throws Exception;
}
