/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.record.StoredProgram;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text is planned once; from then on its recorded plan is the program of all workers. */
class RecordedProgramTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS v FROM t GROUP BY k;";

    @TempDir
    Path directory;

    private static SqlProgram never(String text) {
        throw new IllegalStateException("planned again: " + text);
    }

    private static DataflowStore store(DataflowCluster cluster) {
        return new DataflowStore(cluster.database(), cluster.keyspace());
    }

    /** Takes one step of which a version of the state is made. */
    private static void begin(DataflowCluster cluster) {
        cluster.configure(DataflowCluster.settings(PROGRAM));
        cluster.awaitState(0, DataflowState.RUNNING);
        cluster.follow("s");
        Received first = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
        cluster.awaitOutputOf(first.position(), "s");
        cluster.await("a version", () -> cluster.worker(0).status().version() > 0);
    }

    private static void goOn(DataflowCluster cluster) {
        Received last = cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":3}");
        cluster.awaitOutputOf(last.position(), "s");
        assertThat(cluster.changes("s").values()).containsExactly(List.of("1 2 x1"), List.of("1 2 x-1", "1 5 x1"));
    }

    private static void restartAll(DataflowCluster cluster) {
        for (int worker = 0; worker < cluster.size(); worker++) {
            cluster.restart(worker);
        }
        cluster.elect(0);
    }

    @Test
    void workersOfAReleaseThatCanNotPlanItGoOnByThePlan() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            cluster.plan(RecordedProgramTest::never);
            restartAll(cluster);
            goOn(cluster);
        }
    }

    @Test
    void workersOfAReleaseThatPlansOtherwiseGoOnByThePlan() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            String planned = cluster.circuit().getPlanDigest();
            cluster.plan(text -> SqlProgram.compile(text.replace("SUM(v)", "MAX(v)")));
            restartAll(cluster);
            goOn(cluster);
            assertThat(cluster.circuit().getPlanDigest()).isEqualTo(planned);
        }
    }

    @Test
    void aPlanIsBuiltOnceInAProcess() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1);
                SystemEnvironment environment = new SystemEnvironment()) {
            begin(cluster);
            Programs programs = new Programs(JarSource.NONE, environment, (text, repeated, outputKeys) -> never(text));
            StoredProgram stored = StoredProgram.read(store(cluster));
            programs.prepareRecorded(stored);
            AcceptedProgram built = programs.stored(stored);
            assertThat(programs.stored(StoredProgram.read(store(cluster)))).isSameAs(built);
            assertThat(programs.prepare(new ProgramSource.Sql(PROGRAM), RepeatedKeys.UPSERTED, () -> stored))
                    .isCompletedWithValue(built);
        }
    }

    @Test
    void aTextAloneIsPlannedAndThePlanRecorded() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            String planned = cluster.circuit().getPlanDigest();
            DataflowStore store = store(cluster);
            cluster.database().run(transaction -> {
                transaction.clear(store.plan().range());
                return null;
            });
            cluster.changeCircuit(CircuitRecord.Builder::clearPlanDigest);
            restartAll(cluster);
            goOn(cluster);
            assertThat(cluster.circuit().getPlanDigest()).isEqualTo(planned);
            AtomicInteger texts = new AtomicInteger();
            cluster.plan(text -> {
                texts.incrementAndGet();
                return SqlProgram.compile(text);
            });
            restartAll(cluster);
            cluster.awaitState(0, DataflowState.RUNNING);
            assertThat(texts).hasValue(0);
        }
    }

    @Test
    void anEditedTextIsPlannedAndRecordedAnew() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            CircuitRecord before = cluster.circuit();
            String edited = "-- edited" + System.lineSeparator() + PROGRAM;
            cluster.configure(DataflowCluster.settings(edited));
            cluster.await(
                    "the edited text",
                    () -> !cluster.circuit().getProgramDigest().equals(before.getProgramDigest()));
            assertThat(cluster.circuit().getPlanDigest()).isNotEqualTo(before.getPlanDigest());
            goOn(cluster);
        }
    }

    @Test
    void aKeyThatIsSaidBesideTheTextIsRecordedWithItAndMustNotMoveRows() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            cluster.configure(settings(new OutputKeys(Map.of("S", List.of("K")))));
            cluster.await("the key", () -> keyOfView(cluster).equals(List.of(0)));
            cluster.plan(RecordedProgramTest::never);
            restartAll(cluster);
            goOn(cluster);
            assertThat(keyOfView(cluster)).containsExactly(0);
            cluster.plan(Programs.Planner.SQL);
            assertRefused(cluster, List.of("v"), "outputs[].key is another, by which rows of a view would lie");
            assertRefused(cluster, List.of("w"), "outputs[].key of view s: there is no column 'w'; the columns are");
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.await("the program without it", () -> keyOfView(cluster).isEmpty());
        }
    }

    private static DataflowSettings settings(OutputKeys keys) {
        ProgramSource program = new ProgramSource.Sql(PROGRAM, keys);
        return new DataflowSettings(
                "c", program, false, 1, 200, 2, OnError.COLLECT, Map.of(), "", List.of(), List.of());
    }

    /** The one before goes on. */
    private static void assertRefused(DataflowCluster cluster, List<String> key, String message) {
        cluster.configure(settings(new OutputKeys(Map.of("s", key))));
        cluster.await(message, () -> cluster.worker(0).status().message().contains(message));
        assertThat(keyOfView(cluster)).containsExactly(0);
    }

    private static List<Integer> keyOfView(DataflowCluster cluster) {
        return cluster.worker(0)
                .program()
                .map(program -> program.views().getFirst().key())
                .orElse(List.of(-1));
    }

    @Test
    void aCircuitOfAReleaseBeforeRefusesAKeyThatComesAgainAlsoByAnEditedText() {
        String keyed = "CREATE TABLE t (k INT NOT NULL PRIMARY KEY, v INT NOT NULL);"
                + " CREATE VIEW s AS SELECT k, SUM(v) AS v FROM t GROUP BY k;";
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.plan(text -> SqlProgram.compile(text, RepeatedKeys.REFUSED));
            cluster.configure(DataflowCluster.settings(keyed));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.changeCircuit(CircuitRecord.Builder::clearUpsertsByKey);
            cluster.plan(Programs.Planner.SQL);
            restartAll(cluster);
            cluster.follow("s", "errors");

            cluster.configure(DataflowCluster.settings("-- edited" + System.lineSeparator() + keyed));
            cluster.await("the edited text", () -> cluster.circuit()
                    .getProgramDigest()
                    .equals(Programs.digest("-- edited" + System.lineSeparator() + keyed)));
            cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
            Received again = cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":3}");
            cluster.awaitOutputOf(again.position(), "errors");

            assertThat(cluster.changes("s").values()).containsExactly(List.of("1 2 x1"));
            assertThat(cluster.changes("errors").values())
                    .anyMatch(rows -> rows.toString().contains("2 rows with"));
        }
    }

    @Test
    void aDamagedPlanStopsTheCircuitUntilItIsPlannedAnew() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            String planned = cluster.circuit().getPlanDigest();
            damage(cluster);
            restartAll(cluster);
            cluster.awaitState(0, DataflowState.STOPPED);
            assertThat(cluster.worker(0).status().message())
                    .contains("The recorded plan is damaged", "on w-", "retry-1", "replan-1");
            cluster.configure(DataflowCluster.withDecision(DataflowCluster.settings(PROGRAM), "retry-1"));
            cluster.await("the second stop", () -> cluster.circuit().getStop().getNumber() == 2);
            cluster.configure(DataflowCluster.withDecision(DataflowCluster.settings(PROGRAM), "replan-2"));
            goOn(cluster);
            assertThat(cluster.circuit().getPlanDigest()).isEqualTo(planned);
        }
    }

    @Test
    void aPlanThatAnotherWorkerCanNotReadIsPlannedAnewByTheCoordinatorThatCan() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            damage(cluster);
            cluster.restart(1);
            cluster.awaitState(0, DataflowState.STOPPED);
            AtomicInteger texts = new AtomicInteger();
            cluster.plan(text -> {
                texts.incrementAndGet();
                return SqlProgram.compile(text);
            });
            cluster.configure(DataflowCluster.withDecision(DataflowCluster.settings(PROGRAM), "replan-1"));
            goOn(cluster);
            assertThat(texts).hasPositiveValue();
        }
    }

    private static void damage(DataflowCluster cluster) {
        DataflowStore store = store(cluster);
        cluster.database().run(transaction -> {
            KeyValue chunk =
                    transaction.getRange(store.plan().range()).asList().join().getFirst();
            byte[] bytes = chunk.getValue();
            bytes[bytes.length / 2] ^= 1;
            transaction.set(chunk.getKey(), bytes);
            return null;
        });
    }

    @Test
    void aPlanThatIsReadAgainLaterGoesOnByDecision() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            begin(cluster);
            String planned = cluster.circuit().getPlanDigest();
            cluster.changeCircuit(circuit -> circuit.setPlanDigest("of a newer release"));
            restartAll(cluster);
            cluster.awaitState(0, DataflowState.STOPPED);
            cluster.changeCircuit(circuit -> circuit.setPlanDigest(planned));
            cluster.configure(DataflowCluster.withDecision(DataflowCluster.settings(PROGRAM), "retry-1"));
            goOn(cluster);
        }
    }
}
