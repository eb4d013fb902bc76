/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.FeedOptions;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A view that feeds tasks on workers as processes, of which the one that delivers is killed in the middle. */
class FeedProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int REQUESTS = 60;
    private static final String PROGRAM = """
            CREATE TABLE orders (id INT NOT NULL, amount INT NOT NULL);
            CREATE VIEW large AS SELECT id FROM orders WHERE amount > 100;
            """;

    @TempDir
    Path directory;

    @Test
    void eachLargeOrderIsOneTaskAlthoughTheCoordinatorIsKilled() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.runCircuit(PROGRAM, "[]");
            Process[] workers = {cluster.start(cluster.worker(0)), cluster.start(cluster.worker(1))};
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            cluster.commit(0, 1, 0, 1);
            await().atMost(LONG)
                    .until(() -> cluster.awaitClusterReport(0).getCircuit().getState()
                            == CircuitState.CIRCUIT_STATE_RUNNING);
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0, 1));
                    HttpClient client = cluster.circuitClient()) {
                ratchet.circuit().forEach(FeedOptions.named("large"), "large", new ShownChange());
                List<String> expected = new ArrayList<>();
                for (int id = 0; id < REQUESTS; id++) {
                    push(cluster, client, id);
                    if (id % 2 == 0) {
                        expected.add("{id=" + id + "} 0 1");
                    }
                    if (id == REQUESTS / 2) {
                        String seat = cluster.awaitClusterReport(0).getCoordinatorSeat();
                        int coordinator = seat.equals(TestCluster.seat(0)) ? 0 : 1;
                        workers[coordinator].destroyForcibly().waitFor();
                        workers[coordinator] = cluster.start(cluster.worker(coordinator));
                    }
                }
                await().atMost(LONG).until(() -> realized(ratchet).count() >= expected.size());
                List<String> shown = realized(ratchet)
                        .map(made -> ratchet.<String>future(made.id())
                                .toCompletableFuture()
                                .join())
                        .map(text -> text.substring(text.indexOf(' ') + 1))
                        .toList();
                assertThat(shown).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(ratchet.circuit().feeds())
                        .singleElement()
                        .matches(feed -> feed.submitted() == expected.size());
                assertThat(ratchet.circuit().endFeed("large")).isTrue();
                assertThat(ratchet.circuit().feeds()).isEmpty();
            }
        }
    }

    private static Stream<FutureInfo> realized(Ratchet ratchet) {
        return ratchet.list(FutureQuery.ofJob("large").withStates(FutureState.REALIZED));
    }

    private static void push(TestCluster cluster, HttpClient client, int id) {
        String row = "{\"id\": %d, \"amount\": %d}".formatted(id, id % 2 == 0 ? 200 : 50);
        int[] tries = {0};
        await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> client.send(
                                        cluster.circuit(
                                                        tries[0]++ % 2,
                                                        "/v1/tables/orders?producer=shop&sequence=" + id)
                                                .header("Content-Type", "application/x-ndjson")
                                                .POST(BodyPublishers.ofString(row))
                                                .build(),
                                        BodyHandlers.ofString())
                                .statusCode()
                        == 200);
    }
}
