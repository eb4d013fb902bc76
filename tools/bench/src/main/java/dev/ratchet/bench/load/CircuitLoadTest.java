/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.ServedStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code run circuit-load}: rows go into a circuit of three workers while workers, the coordinator and the store are
 * killed; what its views were at random steps is compared with DuckDB. Exit code 1 with every complaint if anything
 * differs; the files of all processes stay then.
 */
@Command(
        name = "circuit-load",
        description = "Whether the views of a circuit are exact while processes are killed at random.",
        mixinStandardHelpOptions = true)
public final class CircuitLoadTest implements Callable<Integer> {

    private static final int WORKERS = 3;
    private static final int PRODUCERS = 4;
    private static final int STEPS_READ = 20;
    /** So many happen before a step is put out again, or on a busy machine none ever would be. */
    private static final int FAULTS_AT_ONCE = 2;

    private static final long OBJECT_BYTES = 16L << 20;
    private static final long TICK_MILLIS = 50;
    private static final long TOLD_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration REST = Duration.ofMinutes(5);
    private static final Set<Fault> FAULTS =
            EnumSet.of(Fault.KILL_WORKER, Fault.KILL_COORDINATOR, Fault.KILL_STORE, Fault.DRAIN_WORKER, Fault.CUT);

    @Parameters(
            arity = "0..1",
            paramLabel = "SECONDS",
            description = "how long faults happen (default: ${DEFAULT-VALUE})",
            defaultValue = "120")
    private long seconds;

    @Option(names = "--seed", paramLabel = "N", description = "of rows and faults, though not of their timing")
    private @Nullable Long seed;

    @Option(
            names = "--gap-millis",
            paramLabel = "N",
            description = "longest time between two faults (default: ${DEFAULT-VALUE})")
    private long gapMillis = 10_000;

    @Option(names = "--dir", paramLabel = "DIR", description = "where processes have their files")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    /** What works on the circuit beside the thread that does harm to it. */
    private record Work(
            CircuitRequests input,
            List<LoadProducer> producers,
            CircuitFollower follower,
            CircuitAnswers answers,
            CircuitControl control) {}

    private final PromiseLedger ledger = new PromiseLedger();
    private final AtomicLong repeated = new AtomicLong();

    @Override
    public Integer call() throws Exception {
        long chosen = seed == null ? System.nanoTime() : seed;
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-circuit-load-");
        System.out.printf(Locale.ROOT, "load: --seed %d, faults for %d s, files in %s%n", chosen, seconds, directory);
        Cluster.Settings settings = new Cluster.Settings(
                WORKERS,
                2,
                Processes.OPTIONS,
                OBJECT_BYTES,
                new ServedStore.Settings(Processes.OPTIONS, true, 0, chosen),
                true);
        Work work;
        try (Cluster cluster = new Cluster(directory, settings);
                HttpClient client = cluster.circuitClient()) {
            work = work(cluster, client, directory, chosen);
            List<Thread> threads = new ArrayList<>();
            work.control().configure();
            cluster.commitLayout();
            cluster.startWorkers();
            work.producers().forEach(producer -> threads.add(started(producer)));
            List<Thread> watching = List.of(started(work.follower()), started(work.control()));
            harm(cluster, work, threads, directory, chosen);
            work.follower().stop();
            watching.forEach(Thread::interrupt);
            client.shutdownNow();
        }
        judge(work, directory);
        return report(directory);
    }

    private Work work(Cluster cluster, HttpClient client, Path directory, long chosen) throws IOException {
        CircuitRequests input = new CircuitRequests(chosen, PRODUCERS);
        List<LoadProducer> producers = new ArrayList<>();
        for (int number = 0; number < PRODUCERS; number++) {
            producers.add(new LoadProducer(cluster, client, input, ledger, number, chosen + number, repeated));
        }
        return new Work(
                input,
                producers,
                new CircuitFollower(cluster, client, ledger, chosen),
                new CircuitAnswers(cluster, client, directory.resolve("answers"), chosen),
                new CircuitControl(cluster, client, ledger, chosen));
    }

    private static Thread started(Runnable work) {
        return Thread.ofVirtual().start(work);
    }

    /** Faults for so long, then rest until all that was sent is in the views. */
    private void harm(Cluster cluster, Work work, List<Thread> threads, Path directory, long chosen)
            throws IOException, InterruptedException {
        RandomGenerator random = RandomGeneratorFactory.of("Random").create(chosen);
        Keeper keeper = new Keeper(cluster, directory, ledger, 0, 0, random);
        Chaos chaos = new Chaos(cluster, keeper, FAULTS, random, gapMillis);
        awaitOutput(keeper, work);
        Thread reader = started(() -> readAtRandom(work.answers(), chosen));
        long began = System.nanoTime();
        long told = began;
        long stepBefore = -1;
        int faultsBefore = 0;
        while (System.nanoTime() - began < seconds * 1e9) {
            keeper.look();
            int faults = faults(chaos);
            if (work.follower().step() != stepBefore) {
                stepBefore = work.follower().step();
                if (faults > faultsBefore) {
                    faultsBefore = faults;
                    chaos.postpone();
                }
            }
            if (faults - faultsBefore < FAULTS_AT_ONCE) {
                chaos.look();
            }
            if (System.nanoTime() - told > TOLD_NANOS) {
                told = System.nanoTime();
                tell(work, (told - began) / 1e9, chaos);
            }
            Thread.sleep(TICK_MILLIS);
        }
        chaos.end();
        Thread end = started(() -> finish(work, reader, threads));
        long rest = System.nanoTime();
        while (end.isAlive()) {
            if (System.nanoTime() - rest > REST.toNanos()) {
                throw new IOException("Not all that was sent is in the views " + REST.toMinutes()
                        + " minutes after the last fault: see the logs of the workers");
            }
            keeper.look();
            Thread.sleep(TICK_MILLIS);
        }
        tell(work, (System.nanoTime() - began) / 1e9, chaos);
        System.out.println("load: what ended: " + keeper.endings());
    }

    private static int faults(Chaos chaos) {
        return chaos.happened().values().stream().mapToInt(Integer::intValue).sum();
    }

    private void tell(Work work, double after, Chaos chaos) {
        System.out.printf(
                Locale.ROOT,
                "load: after %3.0f s %,d requests, %,d sent again, %d steps retried by decision, %d steps read; the"
                        + " follower has %,d rows, %s; %s%n",
                after,
                work.input().all().size(),
                repeated.get(),
                work.control().retried(),
                work.answers().steps(),
                work.follower().rows().count(),
                work.follower().interruptions(),
                chaos.happened());
    }

    /** Faults begin when the circuit runs. */
    private static void awaitOutput(Keeper keeper, Work work) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (work.follower().rows().count() == 0) {
            if (System.nanoTime() - began > START.toNanos()) {
                throw new IOException("No rows were put out in " + START.toMinutes()
                        + " minutes without a fault: see the logs of the workers");
            }
            keeper.look();
            Thread.sleep(TICK_MILLIS);
        }
    }

    private void readAtRandom(CircuitAnswers answers, long chosen) {
        Random random = new Random(chosen);
        try {
            while (answers.steps() < STEPS_READ) {
                Thread.sleep(random.nextLong(2_000 * seconds / (STEPS_READ + 1) + 1));
                answers.readAll();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            ledger.complain(String.valueOf(e));
        }
    }

    /** Waits for those who read and send, and then until both kinds of readers have all that was sent. */
    private void finish(Work work, Thread reader, List<Thread> threads) {
        try {
            reader.join();
            work.producers().forEach(LoadProducer::stop);
            for (Thread thread : threads) {
                thread.join();
            }
            String last = work.input().all().lastKey();
            while (work.answers().readAll().compareTo(last) < 0) {
                Thread.sleep(TICK_MILLIS);
            }
            CircuitFollower.Rows sent =
                    CircuitFollower.of(work.input(), work.input().all().values());
            long limit = System.nanoTime() + START.toNanos();
            while (!work.follower().rows().equals(sent) && System.nanoTime() < limit) {
                Thread.sleep(TICK_MILLIS);
            }
            if (!work.follower().rows().equals(sent)) {
                ledger.complain("the follower has " + work.follower().rows() + ", sent were " + sent);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            ledger.complain(String.valueOf(e));
        }
    }

    private void judge(Work work, Path directory) throws Exception {
        try (CircuitJudge judge = new CircuitJudge(work.input(), ledger, directory)) {
            judge.judge(work.answers().all());
            System.out.printf(
                    Locale.ROOT,
                    "load: compared %d answers at %d steps with DuckDB, the last over %,d rows%n",
                    work.answers().all().size(),
                    work.answers().steps(),
                    judge.rows());
        }
    }

    private int report(Path directory) throws IOException {
        int complaints = ledger.complaints();
        System.out.println(
                complaints == 0
                        ? "load: nothing was lost and nothing is there twice"
                        : "load: " + complaints + " complaints; the files are in " + directory);
        if (complaints == 0) {
            Directories.delete(directory);
        }
        return complaints == 0 ? 0 : 1;
    }
}
