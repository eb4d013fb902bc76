/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stops a circuit until a person has decided. */
class StopTest {

    private static final String PROGRAM =
            "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL); CREATE VIEW s AS SELECT k, 12 / v AS q FROM t;";

    @TempDir
    Path directory;

    private static DataflowSettings settings(OnError onError, long intervalMillis, String decision) {
        return new DataflowSettings("c", PROGRAM, false, 1, intervalMillis, 2, onError, Map.of(), decision);
    }

    @Test
    void aStepThatCanNotBeTakenIsNamedAndLeftOutByDecision() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(settings(OnError.STOP, 10_000, ""));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received first = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(first.position(), "s");
            cluster.append(0, "p", 1, "t", "{\"k\":2,\"v\":0}");
            cluster.awaitState(0, DataflowState.STOPPED);
            assertThat(cluster.worker(0).status().message())
                    .startsWith("Step 2 can not be taken: ")
                    .contains("decide skip-1");
            cluster.configure(settings(OnError.STOP, 10_000, "skip-1"));
            Received last = cluster.append(0, "p", 2, "t", "{\"k\":3,\"v\":3}");
            cluster.awaitOutputOf(last.position(), "s");
            assertThat(cluster.changes("s")).isEqualTo(Map.of(1L, List.of("1 6 x1"), 3L, List.of("3 4 x1")));
        }
    }

    @Test
    void aLostStateIsToldAndBegunAnewByDecision() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(settings(OnError.COLLECT, 1, ""));
            cluster.awaitState(0, DataflowState.RUNNING);
            for (int sequence = 0; sequence < 4; sequence++) {
                cluster.append(1, "p", sequence, "t", "{\"k\":1,\"v\":2}");
                long version = sequence + 1L;
                cluster.await(
                        "version " + version, () -> cluster.worker(0).status().version() >= version);
            }
            cluster.restart(1, this::delete);
            cluster.awaitState(0, DataflowState.STATE_LOST);
            assertThat(cluster.worker(0).status().message()).contains("w-1=[0]").contains("restart-1");
            cluster.configure(settings(OnError.COLLECT, 1, "restart-1"));
            cluster.awaitState(0, DataflowState.RUNNING);
        }
    }

    private void delete(String seat) {
        try (Stream<Path> files = Files.walk(directory.resolve(seat))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
