/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs and tasks on workers as processes, which read the circuit that runs on the same workers. */
class CircuitTasksTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int REQUESTS = 40;

    private static final String PROGRAM = """
            CREATE TABLE orders (id INT NOT NULL, customer VARCHAR NOT NULL, amount DECIMAL(10, 2), placed DATE,
              pair ROW(a INT, b VARCHAR));
            CREATE VIEW listed AS SELECT * FROM orders;
            CREATE VIEW order_totals AS SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer;
            """;
    private static final String FIRST = """
            {"id": 1, "customer": "ann", "amount": 9.90, "placed": "2024-03-15", "pair": {"a": 1, "b": "ann"}}""";

    @TempDir
    Path directory;

    record Listed(int id, String customer, BigDecimal amount, LocalDate placed) {}

    @Test
    void aTaskReadsAllViewsAsTheyAreAfterOneStep() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            startCircuit(cluster);
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(1));
                    HttpClient client = cluster.circuitClient()) {
                push(cluster, client, FIRST);
                await("the step behind which no sum is missing")
                        .atMost(LONG)
                        .until(() -> ratchet.circuit().read("listed").rows().size() == 1);
                List<DurableFuture<CountTwice.Counts>> counts = new ArrayList<>();
                for (int request = 2; request <= REQUESTS; request++) {
                    push(cluster, client, "{\"id\": %d, \"customer\": \"%d\"}".formatted(request, request % 3));
                    boolean isolated = request % 20 == 0;
                    SubmitOptions options = SubmitOptions.ofJob("count");
                    counts.add(ratchet.submit(isolated ? options.withIsolation() : options, new CountTwice()));
                }
                for (CountTwice.Counts count : ratchet.awaitAll(counts, LONG)) {
                    assertThat(count.byCustomer()).isEqualTo(count.oneByOne()).isBetween(1L, (long) REQUESTS);
                }

                await().atMost(LONG)
                        .until(() -> ratchet.circuit().read("listed").rows().size() == REQUESTS);
                ViewSnapshot listed = ratchet.circuit().read("LISTED");
                assertThat(listed.step()).isPositive();
                assertThat(listed.position()).isNotEmpty();
                ViewRow first = listed.rows().getFirst();
                assertThat(first.as(Listed.class))
                        .isEqualTo(new Listed(1, "ann", new BigDecimal("9.90"), LocalDate.of(2024, 3, 15)));
                assertThat(first.get("pair")).isEqualTo(Map.of("a", 1L, "b", "ann"));
                assertThat(listed.rows().getLast().get("placed")).isNull();

                assertThatThrownBy(() -> ratchet.circuit().read("lost"))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("There is no view 'lost'")
                        .hasMessageContaining("order_totals");
                assertThatThrownBy(() -> ratchet.circuit().query("SELECT nothing FROM listed"))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("line 1, column 8");
            }
        }
    }

    @Test
    void aClusterWithoutACircuitSaysSo() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                assertThatThrownBy(() -> ratchet.circuit().read("totals"))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("has no circuit");
            }
        }
    }

    private static void startCircuit(TestCluster cluster) throws Exception {
        cluster.runCircuit(PROGRAM, "[]");
        cluster.start(cluster.worker(0));
        cluster.start(cluster.worker(1));
        await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
        cluster.commit(0, 1, 0, 1);
        await().atMost(LONG)
                .until(() ->
                        cluster.awaitClusterReport(0).getCircuit().getState() == CircuitState.CIRCUIT_STATE_RUNNING);
    }

    private static void push(TestCluster cluster, HttpClient client, String row) {
        await().atMost(LONG)
                .until(() -> client.send(
                                        cluster.circuit(0, "/v1/tables/orders")
                                                .header("Content-Type", "application/x-ndjson")
                                                .POST(BodyPublishers.ofString(row))
                                                .build(),
                                        BodyHandlers.ofString())
                                .statusCode()
                        == 200);
    }
}
