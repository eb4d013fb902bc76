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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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
            subject.waiting("one commit", value.length, () -> subject.cluster()
                    .database()
                    .run(transaction -> {
                        transaction.set(key, value);
                        return value;
                    }));
        }
    },
    /** Tasks that are not said to be short, of a program that waits for each. */
    UNMARKED {
        @Override
        void measure(Subject subject) throws InterruptedException {
            SubmitOptions options = SubmitOptions.ofJob("unmarked");
            subject.waiting("not marked as short", 1, () -> subject.ratchet()
                    .submit(options, Work.returning(1))
                    .get());
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
            subject.waiting("actor call", 1, () -> actor.call(Work.count()).get());
            subject.loop("actor call", 1, 100, () -> actor.call(Work.count()).toCompletableFuture());
        }
    },
    /** How fast futures are drained when many more wait behind them. */
    DEPTH {
        @Override
        void measure(Subject subject) throws Exception {
            int many = subject.extent().quick() ? 100_000 : 1_000_000;
            for (int depth : new int[] {Math.min(FIRST, subject.extent().together()), many}) {
                SubmitOptions options = SubmitOptions.ofJob("depth-" + depth);
                Queued queued = queue(subject, options, () -> subject.map(options, depth));
                drain(subject, "drained from a queue of", Math.min(FIRST, depth), queued);
            }
        }
    },
    /** How fast futures that are claimed one by one are drained by so many workers, and how often two of them meet. */
    CLAIMS {
        @Override
        void measure(Subject subject) throws Exception {
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
            subject.rate("keys of so many", count, subject.keys(), 0);
            // What the program held is forgotten some time after it has left.
            long left = count;
            double commits = subject.commits();
            while (left == count) {
                Thread.sleep(100);
                commits = subject.commits();
                left = remaining(subject, job);
            }
            subject.once("forgotten", count, left, () -> {
                while (remaining(subject, job) > 0) {
                    Thread.sleep(10);
                }
                return null;
            });
            subject.rate("commits meanwhile", count, subject.commits() - commits, 0);
            subject.rate("keys that are left", count, subject.keys(), 0);
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
    /**
     * Values that go from the client to workers and back: small ones are put together, large ones one by one. What the
     * first ones take in a cluster that has just started is a line of its own.
     */
    VALUES {
        @Override
        void measure(Subject subject) throws Exception {
            for (int bytes : new int[] {1_000, 1_000_000, 100_000_000}) {
                int count = bytes > 10_000_000 ? 10 : bytes > 10_000 ? 100 : 1_000;
                byte[] value = new byte[bytes];
                new SplittableRandom(1).nextBytes(value);
                List<DurableFuture<byte[]>> put = new ArrayList<>();
                subject.once("put, cold", bytes, count, () -> put(subject, value, count, put));
                subject.once("get, cold", bytes, count, () -> get(subject, value, put));
                int rounds =
                        bytes > 10_000_000 ? MOVES_TO_WARM_UP : subject.extent().quick() ? 5 : PUTS_TO_WARM_UP;
                for (int round = 0; round < rounds; round++) {
                    subject.ratchet().deleteAll(put);
                    put(subject, value, count, put);
                    get(subject, value, put);
                }
                subject.ratchet().deleteAll(put);
                subject.once("put", bytes, count, () -> put(subject, value, count, put));
                subject.once("get", bytes, count, () -> get(subject, value, put));
                if (bytes > 10_000_000 && subject.cluster().size() > 1) {
                    move(subject, bytes, put);
                }
                subject.ratchet().deleteAll(put);
            }
        }

        // In place of what is in the list.
        private static List<?> put(Subject subject, byte[] value, int count, List<DurableFuture<byte[]>> put) {
            put.clear();
            for (int i = 0; i < count; i++) {
                put.add(subject.ratchet().put(value));
                if (value.length > 10_000) {
                    put.getLast().submitted().toCompletableFuture().join();
                }
            }
            put.forEach(one -> one.submitted().toCompletableFuture().join());
            return put;
        }

        private static List<?> get(Subject subject, byte[] value, List<DurableFuture<byte[]>> put)
                throws InterruptedException {
            for (DurableFuture<byte[]> one : put) {
                if (!Arrays.equals(subject.ratchet().<byte[]>future(one.id()).get(), value)) {
                    throw new IllegalStateException("A value of " + value.length + " bytes has become another one");
                }
            }
            return put;
        }

        // To the first worker, to the second, and back, until that is as fast as it will be: with one copy each.
        private static void move(Subject subject, int bytes, List<DurableFuture<byte[]>> values) throws Exception {
            String first = subject.cluster().seat(0);
            String second = subject.cluster().seat(1);
            for (int round = 0; round < MOVES_TO_WARM_UP; round++) {
                move(subject, values, first);
                move(subject, values, second);
            }
            move(subject, values, first);
            subject.once("from worker to worker", bytes, values.size(), () -> {
                move(subject, values, second);
                return null;
            });
            int warmUp = 2 * MOVES_TO_WARM_UP * values.size();
            for (Loopback way : Loopback.values()) {
                double perSecond = way.perSecond(subject.directory(), bytes, warmUp, values.size());
                subject.rate(way == Loopback.BARE ? "over a bare socket" : "over a TLS socket", bytes, perSecond, 0);
            }
        }

        private static void move(Subject subject, List<DurableFuture<byte[]>> values, String target) {
            for (DurableFuture<byte[]> value : values) {
                List<String> holders = subject.ratchet().transfer(value, target);
                if (!holders.equals(List.of(target))) {
                    throw new IllegalStateException(value + " is held by " + holders + ", not by " + target);
                }
            }
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
    private static final int MOVES_TO_WARM_UP = 2;
    private static final int PUTS_TO_WARM_UP = 30;

    /** A queue that takes longer is broken, not slow. */
    private static final Duration DRAIN = Duration.ofMinutes(5);

    /** So many results of a deep queue are waited for. */
    private static final int FIRST = 10_000;

    /** Commits that the store has refused because another one has changed what they had read. */
    private static final String CONFLICTS = "ratchet_store_errors_total{code=\"1020\"}";

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

    /** Adds its lines to the report. */
    abstract void measure(Subject subject) throws Exception;
}
