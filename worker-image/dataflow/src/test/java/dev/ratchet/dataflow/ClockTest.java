/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.OnError;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockTest {

    private static final String PROGRAM = "CREATE TABLE ticks (ticked_at TIMESTAMP NOT NULL)"
            + " WITH ('append_only' = 'true', 'strict' = 'true');"
            + " CREATE VIEW v AS SELECT CAST(ticked_at AS VARCHAR) AS t FROM ticks;"
            + " CREATE VIEW newest AS SELECT MAX(ticked_at) AS t, COUNT(*) AS n FROM ticks;";
    private static final int INTERVAL_MILLIS = 10;

    @TempDir
    Path directory;

    private static DataflowSettings settings(String program, boolean suspended, long intervalMillis) {
        return new DataflowSettings(
                "c",
                new ProgramSource.Sql(program),
                suspended,
                1,
                50,
                2,
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(new InputSource.Clock("ticks", intervalMillis)),
                List.of());
    }

    @Test
    void eachTickIsThereOnceWhoeverIsKilledAndHoweverManyBelieveThatTheyHoldTheTerm() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            Random random = cluster.random();
            cluster.configure(settings(PROGRAM, false, INTERVAL_MILLIS));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("v");
            for (int round = 1; round <= 6; round++) {
                int wanted = ticks(cluster).size() + 5;
                cluster.await(wanted + " ticks", () -> {
                    cluster.retryWhereKillsAreTakenForTheStep();
                    return ticks(cluster).size() >= wanted;
                });
                int next = random.nextInt(2);
                if (random.nextBoolean()) {
                    cluster.restart(random.nextInt(2));
                }
                cluster.elect(next);
            }
            List<LocalDateTime> ticks = ticks(cluster);
            assertThat(ticks).as(cluster.seed()).isEqualTo(every(INTERVAL_MILLIS, ticks.get(0), ticks.size()));
        }
    }

    @Test
    void noTicksComeWhileTheCircuitIsSuspendedAndTheyGoOnWithAnotherInterval() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(settings(PROGRAM, false, INTERVAL_MILLIS));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("v");
            cluster.await("a tick", () -> !ticks(cluster).isEmpty());
            cluster.configure(settings(PROGRAM, true, INTERVAL_MILLIS));
            cluster.awaitState(0, DataflowState.SUSPENDED);
            cluster.configure(settings(PROGRAM, false, 3L * INTERVAL_MILLIS));
            int before = ticks(cluster).size();
            // Ticks of the former interval that had no step yet come first.
            cluster.await("three by the other interval", () -> {
                List<LocalDateTime> all = ticks(cluster);
                List<LocalDateTime> last = all.subList(Math.max(0, all.size() - 3), all.size());
                return all.size() >= before + 3 && last.equals(every(3L * INTERVAL_MILLIS, last.get(0), 3));
            });
        }
    }

    @Test
    void whatKeepsAClockFromTickingIsSaid() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(
                    settings("CREATE TABLE ticks (t TIMESTAMP); CREATE VIEW v AS SELECT t FROM ticks;", false, 10));
            cluster.await("the trouble", () -> cluster.worker(0)
                    .status()
                    .message()
                    .contains("input ticks: table ticks has no column ticked_at TIMESTAMP; add it to the program"));
            cluster.awaitState(0, DataflowState.RUNNING);
            assertThatThrownBy(() -> cluster.append(0, "input:ticks", 0, "ticks", "{}"))
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("choose one that does not begin with 'input:'");
        }
    }

    @Test
    void aViewKnowsWhatIsOverdue() {
        String program = "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, due TIMESTAMP NOT NULL);"
                + " CREATE TABLE ticks (ticked_at TIMESTAMP NOT NULL) WITH ('append_only' = 'true');"
                + " CREATE LOCAL VIEW clock AS SELECT MAX(ticked_at) AS now FROM ticks;"
                + " CREATE VIEW overdue AS SELECT o.id FROM orders o, clock WHERE o.due < clock.now;";
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            cluster.configure(settings(program, false, INTERVAL_MILLIS));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("overdue");
            LocalDateTime soon = LocalDateTime.now(ZoneOffset.UTC).plus(Duration.ofMillis(200));
            cluster.append(0, "p", 0, "orders", order(1, soon), order(2, soon.plusYears(1)));
            cluster.await("what is overdue", () -> !cluster.changes("overdue").isEmpty());
            assertThat(LocalDateTime.now(ZoneOffset.UTC)).isAfter(soon);
            assertThat(cluster.changes("overdue").values()).containsExactly(List.of("1 x1"));
        }
    }

    private static String order(long id, LocalDateTime due) {
        return "{\"id\":" + id + ",\"due\":\""
                + due.truncatedTo(ChronoUnit.MILLIS).toString().replace('T', ' ') + "\"}";
    }

    /** Of the steps that all processes have told. */
    private static List<LocalDateTime> ticks(DataflowCluster cluster) {
        long complete = cluster.completeStep("v");
        List<LocalDateTime> ticks = new ArrayList<>();
        cluster.changes("v").forEach((step, rows) -> rows.stream()
                .filter(row -> step <= complete)
                .forEach(row -> {
                    assertThat(row).endsWith(" x1");
                    ticks.add(LocalDateTime.parse(
                            row.substring(0, row.length() - 3).replace(' ', 'T')));
                }));
        ticks.sort(null);
        return ticks;
    }

    private static List<LocalDateTime> every(long millis, LocalDateTime first, int count) {
        return Stream.iterate(first, time -> time.plus(Duration.ofMillis(millis)))
                .limit(count)
                .toList();
    }
}
