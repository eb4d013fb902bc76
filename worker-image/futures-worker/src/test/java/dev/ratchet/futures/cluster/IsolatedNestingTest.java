/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Isolated tasks that wait for isolated tasks, on one worker with one slot, of which two processes may be suspended
 * before tasks share them.
 */
@OnCluster(threads = 1)
class IsolatedNestingTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    /**
     * {@code -Dratchet.test.isolated.depth=10000 -Dratchet.test.isolated.heap=256m} shows that the depth does not
     * matter where the frames have room.
     */
    private static final int DEPTH = Integer.getInteger("ratchet.test.isolated.depth", 200);

    private final TestCluster cluster;
    private final Ratchet ratchet;

    @TempDir
    Path directory;

    private Path log;

    IsolatedNestingTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    @BeforeEach
    void emptyLog() {
        log = directory.resolve("log");
    }

    /**
     * Notes that it begins: its height, its process, its id. Waits for the next lower one; the lowest does the deed.
     */
    private record Tower(int height, String log, int retries, SerializableCallable<Integer> deed)
            implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            String line = height + " " + ProcessHandle.current().pid() + " "
                    + TaskContext.current().id() + "\n";
            Files.writeString(Path.of(log), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (height == 0) {
                return deed.call();
            }
            int retriesBelow = height == 1 ? 1 : retries;
            try {
                return Ratchet.current()
                                .submit(isolated(retriesBelow), new Tower(height - 1, log, retries, deed))
                                .get()
                        + 1;
            } catch (FutureCancelledException cancelled) {
                return 100;
            }
        }
    }

    private record Line(int height, long pid, FutureId id) {}

    private static SubmitOptions isolated(int retries) {
        return SubmitOptions.ofJob("tower").withIsolation().withMaxRetries(retries);
    }

    private static List<Line> lines(Path log) throws IOException {
        return Files.exists(log)
                ? Files.readAllLines(log).stream()
                        .map(line -> line.split(" "))
                        .map(parts -> new Line(
                                Integer.parseInt(parts[0]), Long.parseLong(parts[1]), FutureId.parse(parts[2])))
                        .toList()
                : List.of();
    }

    private static Line lowest(Path log) throws IOException {
        Awaitility.await().atMost(LIMIT).until(() -> lines(log).stream().anyMatch(line -> line.height() == 0));
        return lines(log).stream()
                .filter(line -> line.height() == 0)
                .findFirst()
                .orElseThrow();
    }

    private DurableFuture<Integer> tower(int height, int retries, SerializableCallable<Integer> deed) {
        return ratchet.submit(isolated(retries), new Tower(height, log.toString(), retries, deed));
    }

    @Test
    void tasksThatWaitForEachOtherShareProcessesAtAnyDepth() throws Exception {
        long start = System.nanoTime();

        assertThat(tower(DEPTH, 0, () -> 0).get(LIMIT)).isEqualTo(DEPTH);

        System.out.printf("%d isolated tasks deep in %d ms%n", DEPTH, (System.nanoTime() - start) / 1_000_000);
        assertThat(lines(log))
                .extracting(Line::pid)
                .containsOnly(lines(log).get(0).pid(), lines(log).get(1).pid());
        assertThat(lines(log)).extracting(Line::height).hasSize(DEPTH + 1).doesNotHaveDuplicates();
    }

    @Test
    void theEndOfAProcessIsALostAttemptOfTheTaskThatRanAndOfNoneThatWaited() throws Exception {
        DurableFuture<Integer> tower = tower(9, 0, () -> {
            if (TaskContext.current().attempt() == 1) {
                Runtime.getRuntime().halt(9);
            }
            return 0;
        });

        assertThat(tower.get(LIMIT))
                .as("although only the lowest has another attempt")
                .isEqualTo(9);
        long died = lowest(log).pid();
        List<Line> first = lines(log).subList(0, 10);
        assertThat(lines(log).subList(10, lines(log).size()))
                .extracting(Line::height)
                .as("those that were in that process have begun again")
                .containsExactlyInAnyOrderElementsOf(first.stream()
                        .filter(line -> line.pid() == died)
                        .map(Line::height)
                        .toList());
    }

    @Test
    void aProcessThatIsKilledWhileAllOfItsTasksWaitIsALostAttemptOfEach() throws Exception {
        Path go = directory.resolve("go");
        String name = go.toString();
        DurableFuture<Integer> tower = tower(9, 1, () -> {
            while (!Files.exists(Path.of(name))) {
                Thread.sleep(10);
            }
            return 0;
        });
        long running = lowest(log).pid();
        List<Line> waiting =
                lines(log).stream().filter(line -> line.pid() != running).toList();

        ProcessHandle.of(waiting.get(0).pid()).orElseThrow().destroyForcibly();
        Files.createFile(go);

        assertThat(tower.get(LIMIT)).isEqualTo(9);
        assertThat(waiting)
                .allSatisfy(line ->
                        assertThat(cluster.record(line.id()).getNumAttempts()).isEqualTo(2));
    }

    @Test
    void aTaskThatIsCancelledAndYieldsCostsNoOtherItsProcess() throws Exception {
        DurableFuture<Integer> tower = tower(4, 0, () -> {
            new CountDownLatch(1).await();
            return 0;
        });

        assertThat(ratchet.future(lowest(log).id()).cancel()).isTrue();

        assertThat(tower.get(LIMIT)).isEqualTo(103);
        assertThat(lines(log)).extracting(Line::height).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void aTaskThatIsCancelledAndDoesNotYieldIsKilledAndThoseBesideItBeginAgain() throws Exception {
        DurableFuture<Integer> tower = tower(4, 0, () -> {
            while (true) {
                Thread.onSpinWait();
            }
        });
        Line lowest = lowest(log);

        assertThat(ratchet.future(lowest.id()).cancel()).isTrue();

        assertThat(tower.get(LIMIT)).isEqualTo(103);
        assertThat(ProcessHandle.of(lowest.pid())).isEmpty();
        assertThat(lines(log).stream().filter(line -> line.height() == 0)).hasSize(1);
        assertThat(lines(log)).hasSizeGreaterThan(5);
    }

    /** How many tasks of this process are between their waits. */
    private static final AtomicInteger RUNNING = new AtomicInteger();

    /** Waits for two of the next lower ones; returns the most tasks that it has seen run in one process. */
    private record Tree(int height) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            int before = runs();
            if (height == 0) {
                return before;
            }
            Ratchet inside = Ratchet.current();
            List<DurableFuture<Integer>> below = Stream.generate(() -> inside.submit(isolated(0), new Tree(height - 1)))
                    .limit(2)
                    .toList();
            int most = Collections.max(inside.awaitAll(below));
            return Math.max(most, Math.max(before, runs()));
        }

        private static int runs() throws InterruptedException {
            int now = RUNNING.incrementAndGet();
            Thread.sleep(20);
            RUNNING.decrementAndGet();
            return now;
        }
    }

    @Test
    void oneTaskOfAProcessRunsAtATimeAlsoWhereThereAreMoreSlots() throws Exception {
        try (TestCluster other = new TestCluster(directory.resolve("cluster"))) {
            other.start(0, 3);

            assertThat(other.connect().submit(isolated(0), new Tree(4)).get(LIMIT))
                    .isEqualTo(1);
        }
    }
}
