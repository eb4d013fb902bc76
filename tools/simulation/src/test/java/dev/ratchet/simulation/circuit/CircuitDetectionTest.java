/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How soon the others know that a process of the circuit has died: in virtual time, so that it is the protocol's own.
 */
class CircuitDetectionTest {

    private static final long DETECTED_MILLIS = 300;
    /** Another process is elected first, which ends the run. */
    private static final long TAKEN_OVER_MILLIS = 300;

    private static final long STARTED_MILLIS = 60_000;
    private static final int SEATS = 3;
    private static final String PROGRAM =
            "CREATE TABLE t (k INT NOT NULL); CREATE VIEW v AS SELECT k, COUNT(*) AS n FROM t GROUP BY k;";

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRunEndsWithin300MillisOfADeathAndOfAnElectionWhereTheCoordinatorDied(int victim) {
        for (long seed = 1; seed <= 10; seed++) {
            CircuitCluster circuit = running(seed);
            long run = run(circuit);
            boolean isCoordinator = circuit.cluster.coordinator().orElseThrow() == circuit.workers.get(victim);
            long limitMillis = DETECTED_MILLIS + (isCoordinator ? TAKEN_OVER_MILLIS : 0);
            circuit.kill(victim, false);
            long killed = circuit.cluster.world.millis();
            while (run(circuit) == run) {
                long millis = circuit.cluster.world.millis() - killed;
                if (millis > limitMillis) {
                    throw new AssertionError(
                            "w-" + victim + " died " + millis + " ms ago, and the run goes on (seed " + seed + ")");
                }
                circuit.cluster.world.run(5);
            }
        }
    }

    private static CircuitCluster running(long seed) {
        DataflowSettings settings = new DataflowSettings(
                "c",
                new ProgramSource.Sql(PROGRAM),
                false,
                1,
                1_000,
                2,
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(),
                List.of());
        CircuitCluster circuit = new CircuitCluster(seed, SEATS, settings, List.of("v"), CircuitDefects.NONE);
        TableRows rows = new TableRows("t", RowFormat.NDJSON, "{\"k\": 1}\n".getBytes(StandardCharsets.UTF_8));
        circuit.append(new InputRequest("p", 1, List.of(rows)));
        circuit.cluster.world.until(
                "the row is told (seed " + seed + ")", STARTED_MILLIS, () -> circuit.completeStep() > 0);
        circuit.cluster.world.run(10_000);
        return circuit;
    }

    /** The number of the run that goes on; 0 for none. */
    private static long run(CircuitCluster circuit) {
        DataflowStore store = new DataflowStore(circuit.cluster.database, circuit.cluster.keyspace);
        return circuit.cluster.await(circuit.cluster.database.readAsync(
                transaction -> DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance())
                        .thenApply(run -> run.getEnded() ? 0 : run.getNumber())));
    }
}
