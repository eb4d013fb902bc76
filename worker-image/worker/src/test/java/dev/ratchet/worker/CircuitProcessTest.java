/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.protocol.coordinator.v1.CircuitState;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A circuit on three workers as processes, fed and read over HTTP while they are killed. */
class CircuitProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int WORKERS = 3;
    private static final int REQUEST_ROWS = 50;
    private static final int CUSTOMERS = 7;
    private static final String PROGRAM = """
            CREATE TABLE orders (id INT NOT NULL, customer INT NOT NULL, amount INT NOT NULL);
            CREATE VIEW totals AS SELECT customer, COUNT(*) AS orders, SUM(amount) AS amount
              FROM orders GROUP BY customer;
            """;

    @TempDir
    Path directory;

    private final Map<Integer, long[]> expected = new TreeMap<>();
    private HttpClient client;
    private int sequence;

    @Test
    void viewsAreExactWhateverWorkersAreKilled() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.runCircuit(PROGRAM);
            Process[] workers = new Process[WORKERS];
            for (int ordinal = 0; ordinal < WORKERS; ordinal++) {
                workers[ordinal] = cluster.start(cluster.worker(ordinal));
            }
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1) && cluster.isReady(2));
            await().atMost(LONG).until(() -> cluster.statement(0).isPresent());
            cluster.commit(0, 1, 0, 1, 2);
            client = cluster.circuitClient();
            await().atMost(LONG).until(() -> cluster.statement(0)
                    .map(said -> said.getCircuit().getState() == CircuitState.CIRCUIT_STATE_RUNNING)
                    .orElse(false));
            post(cluster, 20);
            awaitTotals(cluster, 0);

            int coordinator = coordinator(cluster);
            for (int killed : new int[] {(coordinator + 1) % WORKERS, coordinator}) {
                post(cluster, 10);
                workers[killed].destroyForcibly().waitFor();
                workers[killed] = cluster.start(cluster.worker(killed));
                post(cluster, 10);
                awaitTotals(cluster, (killed + 1) % WORKERS);
            }

            int last = coordinator(cluster);
            assertThat(cluster.figure(last, "ratchet_circuit_step")).isPositive();
            assertThat(cluster.figure((last + 1) % WORKERS, "ratchet_circuit_exchange_sent_bytes_total"))
                    .isPositive();
            await().atMost(LONG).until(() -> cluster.figure(last, "ratchet_circuit_input_rows") > 0);
            await().atMost(LONG).until(() -> cluster.figure(last, "ratchet_circuit_operator_rows_total") > 0);

            for (Process worker : workers) {
                worker.destroy();
            }
            for (Process worker : workers) {
                assertThat(TestCluster.exitCode(worker)).isZero();
            }
        } finally {
            if (client != null) {
                client.close();
            }
        }
    }

    private static int coordinator(TestCluster cluster) {
        String seat = cluster.statement(0).orElseThrow().getCoordinatorSeat();
        return Integer.parseInt(seat.substring(seat.lastIndexOf('-') + 1));
    }

    /** Sends so many requests, each to the next worker until one says that it is durable; each other one twice. */
    private void post(TestCluster cluster, int requests) {
        for (int request = 0; request < requests; request++) {
            StringBuilder rows = new StringBuilder("id,customer,amount\n");
            for (int row = 0; row < REQUEST_ROWS; row++) {
                int id = sequence * REQUEST_ROWS + row;
                rows.append(id)
                        .append(',')
                        .append(id % CUSTOMERS)
                        .append(',')
                        .append(id % 100)
                        .append('\n');
                long[] total = expected.computeIfAbsent(id % CUSTOMERS, customer -> new long[2]);
                total[0]++;
                total[1] += id % 100;
            }
            int first = sequence;
            int[] tries = {0};
            for (int times = 0; times <= sequence % 2; times++) {
                patiently()
                        .until(() -> client.send(
                                                cluster.circuit(
                                                                (first + tries[0]++) % WORKERS,
                                                                "/v1/tables/orders?producer=shop&sequence=" + first)
                                                        .header("Content-Type", "text/csv")
                                                        .POST(BodyPublishers.ofString(rows.toString()))
                                                        .build(),
                                                BodyHandlers.ofString())
                                        .statusCode()
                                == 200);
            }
            sequence++;
        }
    }

    /** A worker that was killed refuses connections, and breaks those that were open. */
    private static ConditionFactory patiently() {
        return await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(IOException.class);
    }

    private void awaitTotals(TestCluster cluster, int ordinal) {
        StringBuilder rows = new StringBuilder();
        expected.forEach((customer, total) ->
                rows.append("{\"customer\":%d,\"orders\":%d,\"amount\":%d}%n".formatted(customer, total[0], total[1])));
        patiently().untilAsserted(() -> {
            HttpResponse<String> view =
                    client.send(cluster.circuit(ordinal, "/v1/views/totals").build(), BodyHandlers.ofString());
            assertThat(view.body()).isEqualTo(rows.toString());
        });
        assertThat(Files.exists(directory.resolve(TestCluster.seat(ordinal)).resolve("data/circuit")))
                .as("state is kept in the data directory")
                .isTrue();
    }
}
