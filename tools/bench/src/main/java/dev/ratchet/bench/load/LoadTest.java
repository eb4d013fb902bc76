/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.bench.cluster.ServedStore;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import dev.ratchet.futures.check.CheckReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code run load}: faults for so many minutes, then rest, then the verdict. Exit code 1 with every complaint if a
 * promise was not kept; the files of all processes stay then.
 */
@Command(
        name = "load",
        description = "Whether futures keep their promises while processes are killed, paused and cut off at random.",
        mixinStandardHelpOptions = true)
public final class LoadTest implements Callable<Integer> {

    private static final long TICK_MILLIS = 50;
    private static final long TOLD_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofMinutes(3);
    private static final Duration READY = END.plusMinutes(3);

    /** More than a lease of 10 s: who is ready for so long has renewed it after the last fault. */
    private static final Duration SETTLED = Duration.ofSeconds(11);

    private static final Duration OUTCOMES = Duration.ofMinutes(4);

    /** For the first promise, the ends of clients and workers, all outcomes and the check, which take less. */
    private static final Duration REST_MAX = Duration.ofMinutes(18);

    private static final long OBJECT_BYTES = 64L << 20;

    @Option(names = "--minutes", paramLabel = "N", description = "how long faults happen (default: ${DEFAULT-VALUE})")
    private double minutes = 1.25;

    @Option(names = "--seed", paramLabel = "N", description = "of jobs and faults, though not of their timing")
    private @Nullable Long seed;

    @Option(names = "--workers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int workers = 4;

    @Option(names = "--clients", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int clients = 2;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "futures under way of each client (default: ${DEFAULT-VALUE})")
    private int window = 400;

    @Option(
            names = "--gap-millis",
            paramLabel = "N",
            description = "longest time between two faults (default: ${DEFAULT-VALUE})")
    private long gapMillis = 8_000;

    @Option(
            names = "--lost-outcomes",
            paramLabel = "N",
            description = "of so many commits one answers commit_unknown_result; 0: none (default: ${DEFAULT-VALUE})")
    private int oneLostIn = 200;

    @Option(names = "--dir", paramLabel = "DIR", description = "where processes have their files")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Override
    public Integer call() throws Exception {
        long chosen = seed == null ? System.nanoTime() : seed;
        RandomGenerator random = RandomGeneratorFactory.of("Random").create(chosen);
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-load-");
        System.out.printf(
                Locale.ROOT,
                "load: --seed %d, %d workers, %d clients, faults for %.1f minutes, files in %s%n",
                chosen,
                workers,
                clients,
                minutes,
                directory);
        Thread.ofPlatform().daemon().name("load-limit").start(this::endInTime);
        PromiseLedger ledger = new PromiseLedger();
        Cluster.Settings settings = new Cluster.Settings(
                workers,
                4,
                Processes.OPTIONS,
                OBJECT_BYTES,
                new ServedStore.Settings(Processes.OPTIONS, true, oneLostIn, chosen),
                true);
        try (Cluster cluster = new Cluster(directory, settings)) {
            cluster.startWorkers();
            Keeper keeper = new Keeper(cluster, directory, ledger, clients, window, random);
            awaitPromise(keeper, ledger);
            Chaos chaos = new Chaos(cluster, keeper, EnumSet.allOf(Fault.class), random, gapMillis);
            suffer(keeper, chaos, ledger);
            rest(cluster, keeper, ledger, directory);
            System.out.println("load: what happened: " + chaos.happened() + ", what ended: " + keeper.endings());
            judge(cluster, keeper, ledger);
        }
        return report(ledger, directory);
    }

    /** Whatever hangs is shown rather than waited for. */
    private void endInTime() {
        try {
            Thread.sleep(Duration.ofMillis((long) (minutes * 60e3)).plus(REST_MAX));
        } catch (InterruptedException stopped) {
            return;
        }
        System.out.println(
                "load: not at an end " + REST_MAX.toMinutes() + " minutes after its faults should have ended");
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            System.out.println(thread);
            Arrays.stream(frames).forEach(frame -> System.out.println("    " + frame));
        });
        Runtime.getRuntime().halt(1);
    }

    /** Faults begin when there is something to keep: clients that never got to promise anything would show nothing. */
    private static void awaitPromise(Keeper keeper, PromiseLedger ledger) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (ledger.size() == 0) {
            if (System.nanoTime() - began > START.toNanos()) {
                throw new IOException("Nothing was promised in " + START.toMinutes()
                        + " minutes without a fault: see the logs of workers and clients");
            }
            keeper.look();
            Thread.sleep(TICK_MILLIS);
        }
    }

    private void suffer(Keeper keeper, Chaos chaos, PromiseLedger ledger) throws IOException, InterruptedException {
        long began = System.nanoTime();
        long told = began;
        while (System.nanoTime() - began < minutes * 60e9) {
            keeper.look();
            chaos.look();
            if (System.nanoTime() - told > TOLD_NANOS) {
                told = System.nanoTime();
                System.out.printf(
                        Locale.ROOT,
                        "load: after %3.0f s %,d promises, %s%n",
                        (told - began) / 1e9,
                        ledger.size(),
                        chaos.happened());
            }
            Thread.sleep(TICK_MILLIS);
        }
        chaos.end();
    }

    /**
     * Until the clients have ended and every worker has been ready for longer than a lease: one that was paused may
     * find only now that its lease is over, ends, and is started again.
     */
    private static void rest(Cluster cluster, Keeper keeper, PromiseLedger ledger, Path directory)
            throws IOException, InterruptedException {
        List<JavaProcess> last = keeper.stopClients();
        long began = System.nanoTime();
        long disturbed = began;
        boolean ended = false;
        while (!ended || System.nanoTime() - disturbed < SETTLED.toNanos()) {
            if (!ended && System.nanoTime() - began > END.toNanos()) {
                ledger.complain("a client has not come to an end");
                last.forEach(JavaProcess::kill);
            }
            ended = last.stream().noneMatch(JavaProcess::isAlive);
            keeper.look();
            List<Integer> notReady = cluster.notReady();
            if (!notReady.isEmpty()) {
                disturbed = System.nanoTime();
            }
            if (System.nanoTime() - began > READY.toNanos()) {
                for (int worker : notReady) {
                    cluster.worker(worker).dumpThreads(directory.resolve("threads-" + worker + ".txt"));
                }
                throw new IOException("Not at rest " + READY.toMinutes() + " minutes after the last fault: workers "
                        + notReady + " are not ready, or were not " + SETTLED.toSeconds()
                        + " s ago; see their logs and threads");
            }
            Thread.sleep(TICK_MILLIS);
        }
    }

    private static void judge(Cluster cluster, Keeper keeper, PromiseLedger ledger) throws Exception {
        Verdict verdict;
        CheckReport report;
        try (Ratchet ratchet = Ratchet.connect(ConnectionOptions.ofDocument(cluster.connection(0)))) {
            verdict = new Verdict(cluster, ratchet, ledger, OUTCOMES);
            verdict.awaitRest(keeper.jobs());
            verdict.judgePromises();
            verdict.judgeEffects();
            report = verdict.check();
        }
        System.out.printf(
                Locale.ROOT,
                "load: %,d promises: %s; checked %,d keys of %,d futures%n",
                ledger.size(),
                verdict.endings(),
                report.keys(),
                report.futures());
        for (int worker = 0; worker < cluster.size(); worker++) {
            cluster.worker(worker).terminate();
        }
        for (int worker = 0; worker < cluster.size(); worker++) {
            int code = cluster.worker(worker).awaitExit();
            if (code != 0) {
                ledger.complain("worker " + worker + " has ended with exit code " + code);
            }
        }
    }

    private static int report(PromiseLedger ledger, Path directory) throws IOException {
        if (ledger.size() == 0) {
            ledger.complain("every promise was withdrawn, so nothing was shown");
        }
        int complaints = ledger.complaints();
        System.out.println(
                complaints == 0
                        ? "load: every promise was kept"
                        : "load: " + complaints + " complaints; the files are in " + directory);
        if (complaints == 0) {
            Directories.delete(directory);
        }
        return complaints == 0 ? 0 : 1;
    }
}
