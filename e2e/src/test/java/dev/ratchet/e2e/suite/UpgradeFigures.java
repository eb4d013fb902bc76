/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an upgrade costs by each strategy, and what callers notice of it: run by {@code e2e/run upgrades}, which prints
 * the figures. What is asserted is that no call failed and no value is lost.
 */
class UpgradeFigures {

    private static final int WORKERS = 3;
    private static final int VALUES = 60;
    private static final int VALUE_BYTES = 1_000_000;
    private static final int WARM_SECONDS = 20;
    private static final String THREADS = "{\"spec\":{\"workers\":{\"threads\":3}}}";
    private static final String IMAGE = "{\"spec\":{\"image\":\"ratchet/worker:other\"}}";

    private final TestEnvironment environment = TestEnvironment.current();

    /** A strategy with its maxima, and the edit that it carries out. */
    enum Way {
        SURGE_THEN_REMOVE("SurgeThenRemove", 1, 0, THREADS),
        REMOVE_FIRST("SurgeThenRemove", 0, 1, THREADS),
        REPLACE("Replace", 1, 0, THREADS),
        ALL_AT_ONCE("AllAtOnce", 1, 0, THREADS),
        IN_PLACE("InPlace", 1, 0, IMAGE);

        private final String strategy;
        private final int surge;
        private final int unavailable;
        private final String edit;

        Way(String strategy, int surge, int unavailable, String edit) {
            this.strategy = strategy;
            this.surge = surge;
            this.unavailable = unavailable;
            this.edit = edit;
        }

        private String spec() {
            return """
                  upgrade:
                    strategy: %s
                    maxSurge: %d
                    maxUnavailable: %d
                    gates: {stableMillis: 1000, timeoutMillis: 120000}
                """.formatted(strategy, surge, unavailable);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callersAndValuesOutliveAnUpgrade(Way way) throws Exception {
        String name = "by-" + way.name().toLowerCase(Locale.ROOT).replace('_', '-');
        try (Cluster cluster = Cluster.in(environment, name, "rolling").apply(WORKERS, way.spec());
                Ratchet ratchet = cluster.awaitReady(WORKERS).connect();
                WorkerProcesses processes = new WorkerProcesses(cluster)) {
            List<DurableFuture<byte[]>> values = values(ratchet);
            AtomicInteger sum = new AtomicInteger();
            Actor<int[]> counter = ratchet.actor("counter", () -> new int[1]);
            Caller anywhere = Caller.start(
                    number -> assertThat(ratchet.submit(Tasks.constant(number)).get(Cluster.TIMEOUT))
                            .isEqualTo(number));
            Caller ofOneSeat = Caller.start(number ->
                    assertThat(counter.call(Tasks.count()).get(Cluster.TIMEOUT)).isEqualTo(sum.incrementAndGet()));
            TimeUnit.SECONDS.sleep(WARM_SECONDS);
            Figures before = new Figures(anywhere.takeLongestMillis(), ofOneSeat.takeLongestMillis());
            long fetchedBefore = processes.fetchedBytes();
            String revision = cluster.currentRevision();
            long began = System.nanoTime();
            cluster.patch(way.edit);
            cluster.awaitUpdated(revision, WORKERS);
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            Figures during = new Figures(anywhere.takeLongestMillis(), ofOneSeat.takeLongestMillis());
            int calls = anywhere.end() + ofOneSeat.end();
            System.out.printf(
                    "figure: %s, maxSurge %d, maxUnavailable %d: %.1f s, %.1f MB moved of %d; longest without a call's"
                            + " end: anywhere %d ms (before %d), of an actor %d ms (before %d); %d calls; start of a"
                            + " process up to %d ms%n",
                    way.strategy,
                    way.surge,
                    way.unavailable,
                    tookMillis / 1e3,
                    (processes.fetchedBytes() - fetchedBefore) / 1e6,
                    VALUES * VALUE_BYTES / 1_000_000,
                    during.anywhere(),
                    before.anywhere(),
                    during.ofOneSeat(),
                    before.ofOneSeat(),
                    calls,
                    processes.longestStartMillis(began));
            assertThat(anywhere.failures()).isEmpty();
            assertThat(ofOneSeat.failures()).isEmpty();
            for (int i = 0; i < VALUES; i++) {
                assertThat(values.get(i).get(Cluster.TIMEOUT))
                        .isEqualTo(Tasks.bytes(VALUE_BYTES).apply(i));
            }
        }
    }

    /** Longest times without the end of a call, in milliseconds. */
    private record Figures(long anywhere, long ofOneSeat) {}

    /** Results of which one worker each has the only copy, and that are not computed again. */
    private static List<DurableFuture<byte[]>> values(Ratchet ratchet) throws InterruptedException {
        List<Integer> numbers = IntStream.range(0, VALUES).boxed().toList();
        List<DurableFuture<byte[]>> values =
                ratchet.map(SubmitOptions.ofJob("values").withoutReconstruction(), numbers, Tasks.bytes(VALUE_BYTES));
        ratchet.await(values, VALUES, Cluster.TIMEOUT);
        return values;
    }
}
