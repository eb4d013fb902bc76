/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A circuit on three workers as processes, fed over HTTP and by inputs of its own, and read, while they are killed. */
class CircuitProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int WORKERS = 3;
    private static final int REQUEST_ROWS = 50;
    private static final int CUSTOMERS = 7;
    private static final String PROGRAM = """
            CREATE TABLE orders (id INT NOT NULL, customer INT NOT NULL, amount INT NOT NULL);
            CREATE VIEW totals AS SELECT customer, COUNT(*) AS orders, SUM(amount) AS amount
              FROM orders GROUP BY customer;
            CREATE TABLE bid (auction BIGINT NOT NULL, price BIGINT NOT NULL);
            CREATE VIEW bids AS SELECT COUNT(*) AS bids, SUM(price) AS price FROM bid;
            CREATE TABLE refunds (id INT NOT NULL, amount INT NOT NULL);
            CREATE VIEW refunded AS SELECT COUNT(*) AS refunds, SUM(amount) AS amount FROM refunds;
            """;
    private static final int EVENTS = 5_000;
    private static final int EVENTS_PER_SECOND = 500;
    private static final int SEED = 3;
    private static final int FILES = 20;

    @TempDir
    Path directory;

    private final Map<Integer, long[]> expected = new TreeMap<>();
    private HttpClient client;
    private int sequence;
    private int files;

    @Test
    void viewsAreExactWhateverWorkersAreKilled() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Path folder = Files.createDirectories(directory.resolve("refunds"));
            cluster.runCircuit(PROGRAM, """
                    [{"name":"events","type":"Nexmark","eventsPerSecond":%d,"seed":%d,"events":%d},
                     {"name":"refunds","type":"Files","folder":"%s","periodMillis":100}]
                    """.formatted(EVENTS_PER_SECOND, SEED, EVENTS, folder));
            Process[] workers = new Process[WORKERS];
            for (int ordinal = 0; ordinal < WORKERS; ordinal++) {
                workers[ordinal] = cluster.start(cluster.worker(ordinal));
            }
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1) && cluster.isReady(2));
            cluster.commit(0, 1, 0, 1, 2);
            client = cluster.circuitClient();
            await().atMost(LONG).until(() -> cluster.clusterReport(0)
                    .map(said -> said.getCircuit().getState() == CircuitState.CIRCUIT_STATE_RUNNING)
                    .orElse(false));
            awaitLagOfEach(cluster, coordinator(cluster));
            post(cluster, 20);
            awaitTotals(cluster, 0);

            int coordinator = coordinator(cluster);
            for (int killed : new int[] {(coordinator + 1) % WORKERS, coordinator}) {
                post(cluster, 10);
                putFiles(folder);
                workers[killed].destroyForcibly().waitFor();
                workers[killed] = cluster.start(cluster.worker(killed));
                post(cluster, 10);
                awaitTotals(cluster, (killed + 1) % WORKERS);
            }

            awaitView(cluster, 0, "bids", bids());
            awaitView(
                    cluster,
                    1,
                    "refunded",
                    "{\"refunds\":%d,\"amount\":%d}%n".formatted(files, files * (files - 1) / 2));

            int last = coordinator(cluster);
            awaitFigure(cluster, last, "ratchet_circuit_step");
            awaitFigure(cluster, (last + 1) % WORKERS, "ratchet_circuit_exchange_sent_bytes_total");
            awaitFigure(cluster, last, "ratchet_circuit_input_rows");
            awaitFigure(cluster, last, "ratchet_circuit_operator_rows_total");

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
        String seat = cluster.awaitClusterReport(0).getCoordinatorSeat();
        return Integer.parseInt(seat.substring(seat.lastIndexOf('-') + 1));
    }

    private static void awaitFigure(TestCluster cluster, int ordinal, String name) {
        await(name + " of worker " + ordinal).atMost(LONG).until(() -> cluster.figure(ordinal, name) > 0);
    }

    /** Also of tables that no row has come to yet. */
    private static void awaitLagOfEach(TestCluster cluster, int ordinal) {
        await("the lag of each table and view from worker " + ordinal)
                .atMost(LONG)
                .untilAsserted(() -> assertThat(cluster.get(ordinal, "/metrics").body())
                        .containsPattern("ratchet_circuit_input_lag_rows\\{[^}]*table=\"orders\"} 0")
                        .containsPattern("ratchet_circuit_input_lag_rows\\{[^}]*table=\"refunds\"} 0")
                        .containsPattern("ratchet_circuit_input_rows\\{[^}]*table=\"orders\"} 0")
                        .containsPattern("ratchet_circuit_output_lag_steps\\{[^}]*view=\"totals\"} 0")
                        .containsPattern("ratchet_circuit_output_rows\\{[^}]*view=\"totals\"} 0"));
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
        awaitView(cluster, ordinal, "totals", rows.toString());
        assertThat(Files.exists(directory.resolve(TestCluster.seat(ordinal)).resolve("data/circuit")))
                .as("state is kept in the data directory")
                .isTrue();
    }

    private void awaitView(TestCluster cluster, int ordinal, String name, String rows) {
        patiently().untilAsserted(() -> {
            HttpResponse<String> view =
                    client.send(cluster.circuit(ordinal, "/v1/views/" + name).build(), BodyHandlers.ofString());
            assertThat(view.body()).isEqualTo(rows);
        });
    }

    /** Each has one row; they are there while the worker that may read them is killed. */
    private void putFiles(Path folder) throws IOException {
        for (int file = 0; file < FILES; file++) {
            Path part = folder.resolve("part.tmp");
            Files.writeString(part, "id,amount\n%d,%d\n".formatted(files, files));
            Files.move(part, folder.resolve("refunds-%03d.csv".formatted(files)));
            files++;
        }
    }

    private static String bids() {
        NexmarkGenerator generator = new NexmarkGenerator(SEED);
        List<NexmarkEvent> bids = LongStream.range(0, EVENTS)
                .mapToObj(generator::event)
                .filter(event -> event.table() == NexmarkTable.BID)
                .toList();
        long price = bids.stream().mapToLong(bid -> (Long) bid.values().get(2)).sum();
        return "{\"bids\":%d,\"price\":%d}%n".formatted(bids.size(), price);
    }
}
