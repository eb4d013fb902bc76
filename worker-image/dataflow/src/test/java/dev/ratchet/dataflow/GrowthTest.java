/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.control.StepLimits;
import dev.ratchet.dataflow.log.InputLimits;
import dev.ratchet.dataflow.process.DataflowLimits;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.TransactionKinds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * However many requests, producers and steps a circuit has, no transaction comes near the limits of {@link Growth}.
 * Their rows are small: how large a request and a step may be is limited by settings.
 */
class GrowthTest {

    private static final int RECORDS = Growth.RECORDS;
    private static final long NEVER = 1L << 40;
    private static final int AT_ONCE = 500;

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v BIGINT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";

    @TempDir
    Path state;

    @TempDir
    Path folder;

    private final MeasuredDatabase measured = new MeasuredDatabase();

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() {
        StepLimits steps = StepLimits.DEFAULT;
        DataflowLimits limits = new DataflowLimits(
                InputLimits.DEFAULT,
                new StepLimits(steps.ahead(), steps.stepBytes(), steps.stepMillis(), NEVER, NEVER, RECORDS),
                CircuitOptions.SMALL_STEP_ROWS_DEFAULT);
        try (DataflowCluster cluster = new DataflowCluster(state, 2, limits, measured.wrapper())) {
            cluster.configure(settings("c", NEVER));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            use(cluster);
            // One of another name begins with nothing, and clears all that there is.
            cluster.configure(settings("another", NEVER));
            cluster.await("nothing of the first one", () -> logged(cluster) == 0);
        }
        Growth.assertBounded(measured, TransactionKinds.in("dev.ratchet.dataflow"), Map.of());
    }

    private DataflowSettings settings(String name, long intervalMillis) {
        return new DataflowSettings(
                name,
                new ProgramSource.Sql(PROGRAM),
                false,
                1,
                intervalMillis,
                2,
                OnError.COLLECT,
                Map.of("s", RECORDS),
                "",
                List.of(),
                List.of(new FilesSink("lines", "s", folder.toString(), RowFormat.NDJSON)));
    }

    /**
     * Many small steps, and then input that waits for large ones, all of which is taken again by the next processes.
     */
    private void use(DataflowCluster cluster) {
        for (int number = 0; number < RECORDS / 20; number++) {
            DataflowCluster.get(append(cluster, "step-" + number));
        }
        cluster.exchange().hold(true);
        appendMany(cluster, RECORDS / 2, "waiting-");
        cluster.exchange().hold(false);
        Received last = appendMany(cluster, RECORDS / 2, "producer-");
        cluster.awaitOutputOf(last.position(), "s");
        assertThat(DataflowCluster.get(cluster.worker(1).inputs().received("producer-1"))
                        .sequence())
                .isEqualTo(1);

        assertThat(DataflowCluster.get(cluster.worker(1).lastStep())).isPositive();

        cluster.restart(0);
        cluster.elect(1);
        cluster.awaitOutputOf(DataflowCluster.get(append(cluster, "restarted")).position(), "s");

        cluster.configure(settings("c", 50));
        cluster.await("a short log", () -> {
            append(cluster, "");
            return logged(cluster) < RECORDS;
        });
    }

    private static long logged(DataflowCluster cluster) {
        DataflowStore store = new DataflowStore(cluster.database(), cluster.keyspace());
        return cluster.database().read(transaction -> store.counted(transaction, Counter.LOGGED_BYTES)
                .join());
    }

    /** The last one's answer. */
    private static Received appendMany(DataflowCluster cluster, int count, String producers) {
        List<CompletableFuture<Received>> some = new ArrayList<>();
        Received last = null;
        for (int number = 0; number < count; number++) {
            some.add(append(cluster, producers + number));
            if (some.size() == AT_ONCE || number == count - 1) {
                for (CompletableFuture<Received> one : some) {
                    Received received = DataflowCluster.get(one);
                    last = last == null || received.position().compareTo(last.position()) > 0 ? received : last;
                }
                some.clear();
            }
        }
        return Objects.requireNonNull(last);
    }

    private static CompletableFuture<Received> append(DataflowCluster cluster, String producer) {
        byte[] row = "{\"k\":1,\"v\":1}".getBytes(StandardCharsets.UTF_8);
        return cluster.worker(1)
                .inputs()
                .append(new InputRequest(producer, 1, List.of(new TableRows("t", RowFormat.NDJSON, row))));
    }
}
