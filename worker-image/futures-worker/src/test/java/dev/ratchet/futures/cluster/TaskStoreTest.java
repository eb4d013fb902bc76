/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.client.TaskStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task writes to the store takes effect with its result, once. */
class TaskStoreTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("effects");

    /** More than fits into a record. */
    private static final int LARGE = 50_000;

    @TempDir
    Path directory;

    @Test
    void concurrentTasksThatCountInTheStoreLoseNothing() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Ratchet ratchet = cluster.connect();

            List<DurableFuture<Integer>> counting =
                    ratchet.map(JOB, IntStream.range(0, 60).boxed().toList(), Effects::count);

            assertThat(ratchet.awaitAll(counting, LIMIT))
                    .doesNotHaveDuplicates()
                    .contains(1, 60);
            assertThat(ratchet.submit(JOB, Effects::read).get(LIMIT)).isEqualTo(60);
            assertThat(ratchet.submit(JOB.withTenant("other"), Effects::read).get(LIMIT))
                    .as("another tenant's")
                    .isZero();
        }
    }

    @Test
    void anAttemptThatFailsWritesNothing() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();

            DurableFuture<Integer> failing =
                    ratchet.submit(JOB.withRetries(RetryPolicy.defaults().withMaxRetries(1)), Effects::countAndFail);

            assertThatThrownBy(() -> failing.get(LIMIT)).isInstanceOf(TaskFailedException.class);
            assertThat(ratchet.submit(JOB, Effects::read).get(LIMIT)).isZero();
        }
    }

    @Test
    void aResultThatIsComputedAgainWritesNothing() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker first = cluster.start(0, 1);
            DurableFuture<byte[]> large = cluster.connect().submit(JOB, Effects::countAndFill);
            assertThat(large.get(LIMIT)).hasSize(LARGE);
            cluster.start(1, 1);

            first.kill();
            Ratchet later = cluster.connect();

            assertThat(later.<byte[]>future(large.id()).get(LIMIT)).hasSize(LARGE);
            assertThat(later.summary("effects").recomputed()).isEqualTo(1);
            assertThat(later.submit(JOB, Effects::read).get(LIMIT)).isEqualTo(1);
        }
    }

    /** Code that runs on workers. */
    public static final class Effects {
        private static final byte[] KEY = "counter".getBytes(StandardCharsets.UTF_8);

        private Effects() {}

        public static int count(int unusedNumber) {
            TaskStore store = TaskContext.current().store();
            int next = value(store) + 1;
            store.set(KEY, Integer.toString(next).getBytes(StandardCharsets.UTF_8));
            return next;
        }

        public static byte[] countAndFill() {
            var unused = count(0);
            return new byte[LARGE];
        }

        public static int countAndFail() {
            var unused = count(0);
            throw new IllegalStateException("after the write");
        }

        public static int read() {
            return value(TaskContext.current().store());
        }

        private static int value(TaskStore store) {
            return store.get(KEY)
                    .map(bytes -> Integer.parseInt(new String(bytes, StandardCharsets.UTF_8)))
                    .orElse(0);
        }
    }
}
