/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.InputReceipt;
import dev.ratchet.client.InputRows;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewStep;
import dev.ratchet.client.ViewSubscription;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that add rows to a circuit on workers as processes, which are killed in the middle. */
class ProducerProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int REQUESTS = 80;
    private static final String PROGRAM = """
            CREATE TABLE orders (order_id INT NOT NULL, amount DECIMAL(9, 2), day DATE, at TIME, made TIMESTAMP,
                tags VARCHAR ARRAY, data VARBINARY, note VARCHAR);
            CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, name VARCHAR);
            CREATE VIEW listed AS SELECT * FROM orders;
            CREATE VIEW names AS SELECT * FROM customers;
            """;

    @TempDir
    Path directory;

    private record Order(int orderId, BigDecimal amount) {}

    /** What a subscription has heard, up to a step. */
    private static final class Heard {
        private final List<Integer> ids = new ArrayList<>();
        private final List<Integer> lost = new ArrayList<>();
        private String position = "";
        private long step;
        private int snapshots;

        synchronized void hear(ViewStep step) {
            snapshots += step.isSnapshot() ? 1 : 0;
            step.changes().forEach(change -> (change.isAdded() ? ids : lost)
                    .add(change.row().get("order_id", Integer.class)));
            position = step.position().isEmpty() ? position : step.position();
            this.step = step.step();
        }

        synchronized long step() {
            return step;
        }

        synchronized boolean stands(InputReceipt receipt) {
            return position.compareTo(receipt.position()) >= 0;
        }
    }

    @Test
    void rowsAreThereAndHeardOnceThoughWorkersAreKilledAndTheProgramBeginsAgain() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.runCircuit(PROGRAM, "[]");
            Process[] workers = {cluster.start(cluster.worker(0)), cluster.start(cluster.worker(1))};
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            cluster.commit(0, 1, 0, 1);
            Heard heard = new Heard();
            long noted;
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0, 1));
                    ViewSubscription listed = ratchet.circuit().subscribe("listed", heard::hear)) {
                CircuitProducer shop = ratchet.circuit().producer("shop");
                assertThat(shop.received().sequence()).isEqualTo(-1);
                List<CompletableFuture<InputReceipt>> sent = new ArrayList<>();
                for (int id = 0; id < REQUESTS; id++) {
                    sent.add(shop.send("orders", List.of(new Order(id, BigDecimal.valueOf(id)))));
                    // One of them is the worker that program and listener are connected to.
                    if (id == REQUESTS / 3 || id == 2 * REQUESTS / 3) {
                        int killed = id < REQUESTS / 2 ? 0 : 1;
                        get(sent.get(id - REQUESTS / 4));
                        workers[killed].destroyForcibly().waitFor();
                        workers[killed] = cluster.start(cluster.worker(killed));
                        await().atMost(LONG).until(() -> cluster.isReady(killed));
                    }
                }
                InputReceipt last = get(sent.getLast());
                assertThat(sent.get(7).join().sequence()).isEqualTo(7);
                await().atMost(LONG).until(() -> heard.stands(last));
                long lastStep = heard.step();
                await("the step that was heard to be taken for heard")
                        .atMost(LONG)
                        .until(() -> listed.step().orElse(-1) >= lastStep);
                noted = listed.step().orElseThrow();
            }
            assertThat(heard.ids).isEqualTo(IntStream.range(0, REQUESTS).boxed().toList());
            assertThat(heard.lost).isEmpty();
            assertThat(heard.snapshots).isEqualTo(1);
            goOn(cluster, noted);
        }
    }

    private static void goOn(TestCluster cluster, long noted) throws Exception {
        Heard heard = new Heard();
        try (Ratchet again = Ratchet.connect(cluster.connection(0, 1));
                ViewSubscription listed = again.circuit().subscribe("listed", noted, heard::hear)) {
            CircuitProducer shop = again.circuit().producer("shop");
            long last = shop.received().sequence();
            assertThat(last).isEqualTo(REQUESTS - 1);
            InputReceipt repeated = get(shop.send(last, new InputRows().insert("orders", new Order(-1, null))));
            assertThat(repeated.isRepeated()).isTrue();
            InputReceipt next = get(shop.send("orders", List.of(new Order(REQUESTS, BigDecimal.ONE))));
            assertThat(next.sequence()).isEqualTo(REQUESTS);
            await().atMost(LONG).until(() -> heard.stands(next));
            assertThat(heard.ids).as("from behind the step %s on", noted).containsExactly(REQUESTS);
            assertThat(listed.ended()).isNotDone();
            assertThat(again.circuit().read("listed").rows())
                    .extracting(row -> row.get("order_id", Integer.class))
                    .isEqualTo(IntStream.rangeClosed(0, REQUESTS).boxed().toList());
        }
    }

    @Test
    void severalTablesAreOneStepAndRowsThatDoNotFitAreErrorsOfTheirRequest() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.runCircuit(PROGRAM, "[]");
            cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            cluster.commit(0, 1, 0);
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                CircuitProducer till = ratchet.circuit().producer("till");
                Map<String, Object> all = new HashMap<>();
                all.put("order_id", 1);
                all.put("amount", new BigDecimal("12.50"));
                all.put("day", LocalDate.of(2026, 2, 3));
                all.put("at", LocalTime.of(4, 5));
                all.put("made", LocalDateTime.of(2026, 2, 3, 4, 5, 6));
                all.put("tags", List.of("a \"b\"", "\u00e9\n"));
                all.put("data", new byte[] {1, -1});
                all.put("note", null);
                InputReceipt first = get(till.send(
                        7,
                        new InputRows()
                                .insert("orders", all)
                                .insert("customers", Map.of("id", 1, "name", "Ann"), Map.of("id", 2, "name", "Bo"))
                                .insert("orders", Map.of("order_id", "nine"))
                                .delete("customers", Map.of("id", 2, "name", "Bo"))));
                assertThat(first).isEqualTo(new InputReceipt(7, first.position(), false));
                await().atMost(LONG)
                        .until(() -> ratchet.circuit().read("names").position().compareTo(first.position()) >= 0);
                ViewRow read = ratchet.circuit().read("listed").rows().getFirst();
                assertThat(read.get("data", byte[].class)).containsExactly(1, -1);
                Map<String, Object> expected = new HashMap<>(all);
                expected.put("order_id", 1L);
                expected.remove("data");
                Map<String, Object> values = new HashMap<>(read.asMap());
                values.remove("data");
                assertThat(values).isEqualTo(expected);
                assertThat(ratchet.circuit().read("names").rows())
                        .singleElement()
                        .hasToString("{id=1, name=Ann}");
                assertThat(ratchet.circuit().read("errors").rows())
                        .singleElement()
                        .satisfies(error -> assertThat(error.toString()).contains("till", "7", "nine"));
                assertThatThrownBy(() -> get(till.send("lost", List.of(Map.of("id", 1)))))
                        .hasMessageContaining(
                                "There is no table 'lost' in the program; Its tables are orders, customers");
                assertThat(get(till.send("customers", List.of(read(ratchet)))).sequence())
                        .as("behind a request that was refused")
                        .isEqualTo(8);
                assertThatThrownBy(() -> get(till.send("customers", List.of(Map.of("name", "x".repeat(2 << 20))))))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("A line of table 'customers' has 2097");
                try (ViewSubscription lost = ratchet.circuit().subscribe("lost", step -> {})) {
                    assertThatThrownBy(() -> lost.ended().get(LONG.toSeconds(), TimeUnit.SECONDS))
                            .hasCauseInstanceOf(InvalidInputException.class)
                            .hasMessageContaining("There is no view 'lost'");
                }
                assertThatThrownBy(() -> new InputRows().insert("orders", 1))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("A row is a Map, a record or a ViewRow");
            }
        }
    }

    private static ViewRow read(Ratchet ratchet) {
        return ratchet.circuit().query("SELECT 5 AS id, name FROM names").rows().getFirst();
    }

    private static InputReceipt get(CompletableFuture<InputReceipt> answer) throws Exception {
        try {
            return answer.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw (Exception) refused.getCause();
        }
    }
}
