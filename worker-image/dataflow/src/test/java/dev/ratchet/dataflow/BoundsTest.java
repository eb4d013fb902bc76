/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.control.StepLimits;
import dev.ratchet.dataflow.log.InputLimits;
import dev.ratchet.dataflow.process.DataflowLimits;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits, is logged and is taken again is bounded, whoever is slow. */
class BoundsTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";
    private static final long NEVER = 3_600_000;
    private static final int ROW_BYTES = 20;
    private static final int ROWS = 1_000;

    @TempDir
    Path directory;

    private DataflowCluster cluster(int processes, InputLimits input, StepLimits steps) {
        return new DataflowCluster(
                directory, processes, new DataflowLimits(input, steps, CircuitOptions.SMALL_STEP_ROWS_DEFAULT));
    }

    private static void begin(DataflowCluster cluster, long intervalMillis, Map<String, Integer> retainedSteps) {
        cluster.configure(
                new DataflowSettings("c", PROGRAM, false, 1, intervalMillis, 2, OnError.COLLECT, retainedSteps, ""));
        cluster.awaitState(0, DataflowState.RUNNING);
        cluster.follow("s");
    }

    private static Received append(DataflowCluster cluster, long sequence) {
        return cluster.append(0, "p", sequence, "t", "{\"k\":1,\"v\":%d}".formatted(sequence + 1));
    }

    private static long count(DataflowCluster cluster, Counter counter) {
        DataflowStore store = new DataflowStore(cluster.database(), cluster.keyspace());
        return cluster.database()
                .read(transaction -> store.counted(transaction, counter).join());
    }

    @Test
    void aProducerIsRefusedWhileOneWorkerIsSlowAndTakenAgainLater() {
        InputLimits input = new InputLimits(1 << 20, 8 << 20, 10 * ROW_BYTES, 1 << 20);
        try (DataflowCluster cluster = cluster(2, input, StepLimits.DEFAULT)) {
            begin(cluster, NEVER, Map.of());
            cluster.exchange().hold(true);
            String reason = "wait for a step, the limit is 200";
            int taken = fill(cluster, 0, reason);
            while (count(cluster, Counter.WAITING_BYTES) < 200L) {
                // A step that was still to be begun ahead has taken what waited when it was refused.
                taken = fill(cluster, taken, reason);
            }
            assertThat(count(cluster, Counter.WAITING_BYTES)).isLessThanOrEqualTo(200L + ROW_BYTES);
            cluster.exchange().hold(false);
            cluster.await("the backlog to be taken", () -> count(cluster, Counter.WAITING_BYTES) == 0);
            cluster.awaitOutputOf(append(cluster, taken).position(), "s");
            long total = (taken + 1L) * (taken + 2L) / 2;
            assertThat(cluster.changes("s").values()).last().satisfies(rows -> assertThat(rows)
                    .contains("1 " + total + " x1"));
        }
    }

    /** Appends until it is refused; how many requests were taken, with those of before. */
    private static int fill(DataflowCluster cluster, int from, String reason) {
        int[] taken = {from};
        assertThatThrownBy(() -> {
                    while (taken[0] < ROWS) {
                        append(cluster, taken[0]);
                        taken[0]++;
                    }
                })
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(InputFullException.class)
                .hasMessageContaining(reason)
                .satisfies(e -> assertThat(((InputFullException) e.getCause()).retryMillis())
                        .isPositive());
        return taken[0];
    }

    @Test
    void aLogThatIsFullIsTrimmedThoughNoMoreInputComes() {
        InputLimits input = new InputLimits(1 << 20, 8 << 20, 1 << 20, 10 * ROW_BYTES);
        StepLimits steps = new StepLimits(4, 8L << 20, 200, NEVER, 5 * ROW_BYTES, 10_000);
        try (DataflowCluster cluster = cluster(2, input, steps)) {
            begin(cluster, 50, Map.of());
            cluster.exchange().hold(true);
            int taken = fill(cluster, 0, "are kept until the state behind them is durable, the limit is 200");
            assertThat(count(cluster, Counter.LOGGED_BYTES)).isBetween(200L, 200L + ROW_BYTES);
            cluster.exchange().hold(false);
            cluster.await(
                    "room in the log",
                    () -> count(cluster, Counter.LOGGED_BYTES) < input.loggedBytes()
                            && count(cluster, Counter.WAITING_BYTES) == 0);
            cluster.awaitOutputOf(append(cluster, taken).position(), "s");
        }
    }

    @Test
    void aLogStaysBoundedThoughOneWhoFollowsIsNeverDone() {
        InputLimits input = new InputLimits(1 << 20, 8 << 20, 1 << 20, 1 << 20);
        StepLimits steps = new StepLimits(4, 8L << 20, 200, NEVER, 50 * ROW_BYTES, 10_000);
        try (DataflowCluster cluster = cluster(1, input, steps)) {
            begin(cluster, NEVER, Map.of("s", 2));
            Received last = append(cluster, 0);
            for (int sequence = 1; sequence < ROWS; sequence++) {
                last = append(cluster, sequence);
            }
            cluster.awaitOutputOf(last.position(), "s");
            cluster.await(
                    "most of the log to be cleared", () -> count(cluster, Counter.LOGGED_BYTES) < 500 * ROW_BYTES);
            assertThat(resume(cluster, 1)).as("resuming behind step 1").isGreaterThan(1);
            long step = cluster.completeStep("s");
            assertThat(resume(cluster, step))
                    .as("resuming behind the last step")
                    .isEqualTo(step);
        }
    }

    /** The oldest step behind which changes are kept where those behind a step are not; else that step. */
    private static long resume(DataflowCluster cluster, long after) {
        CompletableFuture<Long> told = new CompletableFuture<>();
        cluster.worker(0).shares().follow("s", after, new ShareListener() {
            @Override
            public void snapshot(long step, Batch rows) {
                told.completeExceptionally(new IllegalStateException("no snapshot was wanted"));
            }

            @Override
            public void changes(long step, Batch rows) {
                told.complete(after);
            }

            @Override
            public void progress(long step) {
                told.complete(after);
            }

            @Override
            public void expired(long oldestStep) {
                told.complete(oldestStep);
            }

            @Override
            public void ended(String reason) {
                told.completeExceptionally(new IllegalStateException(reason));
            }
        });
        return told.getNow(after);
    }

    @Test
    void aVersionIsMadeWhenAReplayWouldTakeTooLongThoughItIsNotDue() {
        StepLimits steps = new StepLimits(4, 8L << 20, 200, 1, 64L << 20, 10_000);
        try (DataflowCluster cluster = cluster(1, InputLimits.DEFAULT, steps)) {
            begin(cluster, NEVER, Map.of());
            int[] sequence = {0};
            cluster.await("a version", () -> {
                append(cluster, sequence[0]++);
                return cluster.worker(0).status().version() > 0;
            });
        }
    }

    @Test
    void aVersionIsMadeWhenItIsDueThoughAReplayWouldTakeNoTime() {
        StepLimits steps = new StepLimits(4, 8L << 20, 200, NEVER, 64L << 20, 10_000);
        try (DataflowCluster cluster = cluster(1, InputLimits.DEFAULT, steps)) {
            begin(cluster, 50, Map.of());
            append(cluster, 0);
            cluster.await("a version", () -> cluster.worker(0).status().version() == 1);
        }
    }
}
