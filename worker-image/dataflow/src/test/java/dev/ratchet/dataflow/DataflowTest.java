/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataflowTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";

    @TempDir
    Path directory;

    @Test
    void rowsThatAreAppendedChangeTheViews() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received first = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}", "{\"k\":1,\"v\":3}");
            cluster.awaitOutputOf(first.position(), "s");
            Received second = cluster.append(0, "p", 1, "T", "{\"k\":1,\"v\":4}");
            cluster.awaitOutputOf(second.position(), "s");
            assertThat(cluster.changes("s").values()).containsExactly(List.of("1 5 x1"), List.of("1 5 x-1", "1 9 x1"));
        }
    }

    @Test
    void threeProcessesHaveTheirSharesOfAView() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 3)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received last =
                    cluster.append(2, "p", 0, "t", "{\"k\":1,\"v\":2}", "{\"k\":2,\"v\":3}", "{\"k\":3,\"v\":1}");
            cluster.awaitOutputOf(last.position(), "s");
            assertThat(cluster.changes("s").values()).containsExactly(List.of("1 2 x1", "2 3 x1", "3 1 x1"));
        }
    }

    @Test
    void whatIsRepeatedIsThereOnce() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            Received first = cluster.append(0, "p", 7, "t", "{\"k\":1,\"v\":2}");
            Received again = cluster.append(0, "p", 7, "t", "{\"k\":1,\"v\":2}");
            assertThat(first.repeated()).isFalse();
            assertThat(again).isEqualTo(new Received(7, first.position(), true));
            assertThat(DataflowCluster.get(cluster.worker(0).inputs().received("p")))
                    .isEqualTo(new Received(7, first.position(), false));
            assertThat(DataflowCluster.get(cluster.worker(0).inputs().received("q"))
                            .sequence())
                    .isEqualTo(-1);
        }
    }

    @Test
    void aRowThatDoesNotParseIsAnErrorWithItsPlaceAndTheOthersGoOn() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s", "errors");
            Received last = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}", "{\"k\":\"x\",\"v\":3}");
            cluster.awaitOutputOf(last.position(), "s");
            cluster.awaitOutputOf(last.position(), "errors");
            assertThat(cluster.changes("s").values()).containsExactly(List.of("1 2 x1"));
            assertThat(cluster.changes("errors").values()).singleElement().satisfies(rows -> assertThat(rows)
                    .singleElement()
                    .asString()
                    .startsWith("-1 table t, producer p, sequence 0, line 2 column k"));
        }
    }

    @Test
    void whatIsWrongIsPutOutAndKeptByOneProcessEach() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(DataflowCluster.settings("CREATE TABLE t (k INT NOT NULL PRIMARY KEY, v INT NOT NULL)"
                    + " WITH ('upserts' = 'false'); CREATE VIEW s AS SELECT k, 6 / v AS q FROM t;"));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("errors");
            String[] lines = IntStream.range(0, 20)
                    .mapToObj(i -> i % 2 == 0 ? "{\"k\":\"x\",\"v\":" + i + "}" : "{\"k\":" + i + ",\"v\":0}")
                    .toArray(String[]::new);
            cluster.append(0, "p", 0, "t", lines);
            cluster.restart(1);
            Received last = cluster.append(0, "p", 1, "t", "{\"k\":99,\"v\":2}", "{\"k\":99,\"v\":3}");
            cluster.awaitOutputOf(last.position(), "errors");
            List<String> told = cluster.changes("errors").values().stream()
                    .flatMap(List::stream)
                    .sorted()
                    .toList();
            assertThat(told).hasSize(21).doesNotHaveDuplicates().anyMatch(row -> row.contains("2 rows with"));
            List<String> first = cluster.snapshot(0, "errors");
            List<String> second = cluster.snapshot(1, "errors");
            assertThat(first).isNotEmpty();
            assertThat(second).isNotEmpty();
            assertThat(Stream.concat(first.stream(), second.stream()).sorted()).containsExactlyElementsOf(told);
        }
    }

    @Test
    void aRowTakesThePlaceOfTheOneWithItsPrimaryKey() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(DataflowCluster.settings("CREATE TABLE t (k INT NOT NULL PRIMARY KEY, v INT NOT NULL);"
                    + " CREATE VIEW s AS SELECT k, v FROM t;"));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            // Of several rows of a step the last one counts, and one that is removed needs its key alone.
            Received first = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":1}", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(first.position(), "s");
            Received second = cluster.append(1, "p", 1, "t", "{\"k\":1,\"v\":3}");
            cluster.awaitOutputOf(second.position(), "s");
            Received last = cluster.append(0, "p", 2, "t", "{\"delete\":{\"k\":1}}");
            cluster.awaitOutputOf(last.position(), "s");
            assertThat(cluster.changes("s").values())
                    .containsExactly(List.of("1 2 x1"), List.of("1 2 x-1", "1 3 x1"), List.of("1 3 x-1"));
        }
    }

    @Test
    void whatIsWrongWithAProgramNamesItsPlaceAndTheCircuitGoesOnAsItWas() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(DataflowCluster.settings("CREATE VIEW v AS\nSELECT x FROM t;"));
            cluster.awaitState(0, DataflowState.PROGRAM_INVALID);
            assertThat(cluster.worker(0).status().message()).contains("line 2");
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.configure(DataflowCluster.settings("CREATE VIEW v AS\nSELECT x FROM t;"));
            cluster.awaitState(0, DataflowState.PROGRAM_INVALID);
            cluster.follow("s");
            Received last = cluster.append(0, "", 0, "t", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(last.position(), "s");
            cluster.configure(DataflowCluster.settings(PROGRAM + " CREATE VIEW w AS SELECT k FROM t;"));
            cluster.await(
                    "the refusal", () -> cluster.worker(0).status().message().contains("differs"));
            assertThat(cluster.worker(0).status().state()).isEqualTo(DataflowState.RUNNING);
        }
    }

    @Test
    void aSuspendedCircuitTakesInputAndNoStepsAndGoesOnLater() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received first = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(first.position(), "s");
            DataflowSettings running = DataflowCluster.settings(PROGRAM);
            cluster.configure(new DataflowSettings(
                    "c", PROGRAM, true, 1, 200, 2, running.onError(), running.retainedSteps(), ""));
            cluster.await(
                    "the end of the run", () -> cluster.worker(0).participants().isEmpty());
            cluster.awaitState(0, DataflowState.SUSPENDED);
            Received second = cluster.append(1, "p", 1, "t", "{\"k\":1,\"v\":3}");
            assertThat(cluster.changes("s")).hasSize(1);
            cluster.configure(running);
            cluster.awaitOutputOf(second.position(), "s");
            assertThat(cluster.changes("s").values()).contains(List.of("1 2 x-1", "1 5 x1"));
        }
    }

    @Test
    void anUnknownTableAndALineTooLongAreRefusedAndNothingIsAppended() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            assertThatThrownBy(() -> cluster.append(0, "p", 0, "x", "{}"))
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("There is no table 'x'; the tables are [t]");
            assertThatThrownBy(() -> cluster.append(0, "p", 0, "t", "x".repeat((1 << 20) + 1)))
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("more than the limit of 1048576");
            assertThat(DataflowCluster.get(cluster.worker(0).inputs().received("p"))
                            .sequence())
                    .isEqualTo(-1);
        }
    }

    @Test
    void aSnapshotHasAllRowsOfAViewAlsoAfterARestart() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}", "{\"k\":2,\"v\":5}");
            cluster.await("a version", () -> cluster.worker(0).status().version() > 0);
            assertThat(cluster.snapshot(0, "s")).containsExactly("1 2 x1", "2 5 x1");
            cluster.restart(0);
            cluster.elect(0);
            assertThat(cluster.snapshot(0, "s")).containsExactly("1 2 x1", "2 5 x1");
        }
    }
}
