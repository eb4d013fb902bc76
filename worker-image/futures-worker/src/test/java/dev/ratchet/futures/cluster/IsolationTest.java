/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.futures.isolation.TaskProcessMain;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Isolated tasks on one worker with one slot; each runs in a real process. */
@OnCluster(threads = 1)
class IsolationTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final SubmitOptions ISOLATED =
            SubmitOptions.ofJob("isolated").withIsolation();

    private final TestCluster cluster;
    private final Ratchet ratchet;

    IsolationTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    /** Does something fatal in its first attempt, and returns the number of the attempt that does not. */
    private record Fatal(SerializableCallable<Integer> deed) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            int attempt = TaskContext.current().attempt();
            return attempt == 1 ? deed.call() : attempt;
        }
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    @Test
    void tasksOfTheSameCodeShareAProcessThatIsNotTheWorkers() throws Exception {
        long first = ratchet.submit(ISOLATED, IsolationTest::pid).get(LIMIT);
        long second = ratchet.submit(ISOLATED, IsolationTest::pid).get(LIMIT);

        assertThat(first).isNotEqualTo(pid()).isEqualTo(second);
    }

    @Test
    void theLogOfATaskIsWhatItPrintsAndWarnings() throws Exception {
        String configuration = ratchet.submit(ISOLATED, () -> System.getProperty("logback.configurationFile"))
                .get(LIMIT);

        assertThat(configuration).isNotNull();
        try (InputStream found = TaskProcessMain.class.getClassLoader().getResourceAsStream(configuration)) {
            assertThat(new String(found.readAllBytes(), StandardCharsets.UTF_8)).contains("<root level=\"WARN\">");
        }
    }

    @Test
    void aTaskThatEndsItsProcessLosesItsAttemptAndNothingElse() throws Exception {
        DurableFuture<Integer> exiting = ratchet.submit(ISOLATED, new Fatal(() -> {
            System.exit(7);
            return 0;
        }));

        assertThat(exiting.get(LIMIT)).isEqualTo(2);
        assertThat(cluster.record(exiting.id()).getFailure().getMessage()).contains("exit code 7");
        assertThat(ratchet.submit(() -> 1).get(LIMIT)).as("the worker lives on").isEqualTo(1);
    }

    @Test
    void aTaskThatNeedsMoreMemoryThanThereIsHasRunOutOfMemory() throws Exception {
        DurableFuture<Integer> greedy = ratchet.submit(ISOLATED, new Fatal(() -> {
            List<byte[]> all = new ArrayList<>();
            while (all.size() < 1_000) {
                all.add(new byte[1 << 20]);
            }
            return 0;
        }));

        assertThat(greedy.get(LIMIT)).isEqualTo(2);
        assertThat(cluster.record(greedy.id()).getFailure().getType()).isEqualTo("java.lang.OutOfMemoryError");
    }

    @Test
    void exceptionsAndUnserialisableResultsAreThoseOfTheTask() {
        DurableFuture<Integer> failing = ratchet.submit(ISOLATED.withMaxRetries(0), Tasks.failing());
        DurableFuture<Object> holding = ratchet.submit(ISOLATED.withMaxRetries(0), Object::new);

        assertThatThrownBy(() -> failing.get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("broken");
        assertThatThrownBy(() -> holding.get(LIMIT)).hasMessageContaining("can not be serialised");
    }

    /** Writes its process into a file, and goes on for ever. */
    private record Stubborn(String file) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            Files.writeString(Path.of(file), Long.toString(pid()), StandardCharsets.UTF_8);
            while (true) {
                Thread.onSpinWait();
            }
        }
    }

    private static long pidIn(Path file) throws IOException {
        Awaitility.await().atMost(LIMIT).until(() -> Files.exists(file) && Files.size(file) > 0);
        return Long.parseLong(Files.readString(file));
    }

    @Test
    void aWorkerThatLosesItsSeatEndsWhatDoesNotYieldBeforeItEndsItself(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("stubborn");
        try (TestCluster other = new TestCluster(directory.resolve("cluster"))) {
            TestWorker worker = other.start(0, 1);
            var unused = other.connect().submit(ISOLATED, new Stubborn(file.toString()));
            long process = pidIn(file);

            worker.engine().close();

            assertThat(ProcessHandle.of(process)).isEmpty();
        }
    }

    @Test
    void aCancelledTaskThatDoesNotYieldIsKilled(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("stubborn");
        DurableFuture<Integer> stubborn = ratchet.submit(ISOLATED, new Stubborn(file.toString()));
        long process = pidIn(file);

        assertThat(stubborn.cancel()).isTrue();

        Awaitility.await().atMost(LIMIT).until(() -> ProcessHandle.of(process).isEmpty());
        assertThat(ratchet.submit(ISOLATED, () -> 1).get(LIMIT)).isEqualTo(1);
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    /** What a process has read and written by calls of the kernel, through sockets and files, and not by mapping. */
    private record Traffic(long pid, long bytes) implements Serializable {
        static Traffic now() throws IOException {
            long bytes = 0;
            for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
                if (line.startsWith("rchar:") || line.startsWith("wchar:")) {
                    bytes += Long.parseLong(line.substring(7));
                }
            }
            return new Traffic(IsolationTest.pid(), bytes);
        }
    }

    @Test
    void largeValuesAreSharedAndNotSent() throws Exception {
        int bytes = 4_000_000;
        Path files = cluster.directory()
                .resolve(cluster.worker("orders-w-0").address().replace(':', '-'))
                .resolve("isolated");
        SerializableFunction<byte[], byte[]> reverse = IsolationTest::reversed;
        FileTime untouched = null;
        Traffic before = null;
        for (int run = 0; run < 2; run++) {
            untouched = files.toFile().exists() ? Files.getLastModifiedTime(files) : null;
            before = ratchet.submit(ISOLATED, Traffic::now).get(LIMIT);
            int size = bytes + run;
            DurableFuture<byte[]> made = ratchet.submit(ISOLATED, () -> Tasks.bytes(size));
            DurableFuture<byte[]> twice = ratchet.then(ISOLATED, ratchet.then(ISOLATED, made, reverse), reverse);
            assertThat(twice.get(LIMIT)).isEqualTo(Tasks.bytes(size));
        }
        Traffic after = ratchet.submit(ISOLATED, Traffic::now).get(LIMIT);

        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.bytes() - before.bytes())
                .as("through sockets and files, of 20 MB, where all classes are loaded")
                .isLessThan(bytes / 4);
        assertThat(Files.getLastModifiedTime(files))
                .as("no file was made for a value")
                .isEqualTo(untouched);
    }

    @Test
    void writesToTheStoreTakeEffectWithTheResultAlone() throws Exception {
        SerializableCallable<Integer> counting = () -> {
            byte[] key = "isolated".getBytes(StandardCharsets.UTF_8);
            int before = TaskContext.current()
                    .store()
                    .get(key)
                    .map(value -> (int) value[0])
                    .orElse(0);
            TaskContext.current().store().set(key, new byte[] {(byte) (before + 1)});
            if (TaskContext.current().attempt() == 1) {
                Runtime.getRuntime().halt(1);
            }
            return before;
        };

        assertThat(ratchet.submit(ISOLATED, counting).get(LIMIT)).isZero();
        assertThat(ratchet.submit(ISOLATED, counting).get(LIMIT)).isEqualTo(1);
    }

    /** Whoever reads what a process prints keeps a thread of the kernel: a virtual one would take that of a task. */
    @Test
    void noVirtualThreadWaitsForAProcess(@TempDir Path directory) throws Exception {
        long process = ratchet.submit(ISOLATED, IsolationTest::pid).get(LIMIT);
        Path dump = directory.resolve("threads");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);

        assertThat(ProcessHandle.of(process)).as("while the process lives").isPresent();
        assertThat(Files.readString(dump).split("\n\n"))
                .filteredOn(thread -> thread.contains("at dev.ratchet.futures.isolation.TaskProcess."))
                .isNotEmpty()
                .allSatisfy(thread ->
                        assertThat(thread.lines().findFirst().orElseThrow()).doesNotContain("virtual"));
    }

    /** The state of an actor. */
    private static final class Sum implements Serializable {
        private int value;

        int add(int more) throws IOException {
            value += more;
            return value;
        }
    }

    @Test
    void callsOfAnActorMayBeIsolated() throws Exception {
        Actor<Sum> sum = ratchet.actor(ISOLATED, "isolated sum", Sum::new);
        sum.call(state -> state.add(2));

        assertThat(sum.call(state -> state.add(3)).get(LIMIT)).isEqualTo(5);
    }
}
