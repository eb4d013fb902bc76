/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static dev.ratchet.simulation.scenario.SessionClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a worker with one slot takes to stop while sessions wait for it, and to pass it on; in virtual time. */
class SessionStopTest {

    private static final long DRAIN_MILLIS = 2_000;
    private static final long LONG_DRAIN_MILLIS = 600_000;

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private SessionClient client;
    private final Map<UUID, SessionRecord> opened = new HashMap<>();

    @BeforeEach
    void start() {
        futures = new FuturesCluster(63, 1, directory);
        client = new SessionClient(futures);
    }

    @AfterEach
    void stop() {
        futures.close();
    }

    @Test
    @DisplayName("T16: a worker whose slots are held and waited for stops once the time of its drain is over")
    void aWorkerWhoseSlotsAreHeldAndWaitedForStopsInTime() {
        UUID holder = opened();
        List<UUID> waiting = IntStream.range(0, 5).mapToObj(i -> open(1)).toList();
        futures.cluster.world.run(2_000);
        CompletableFuture<Boolean> left = futures.workers.getFirst().leave(DRAIN_MILLIS);
        assertThat(futures.cluster.world.until("the worker has left", 60_000, left::isDone))
                .isBetween(DRAIN_MILLIS - 1, 5_000L);
        assertThat(client.record(holder).getReason()).isEqualTo(SessionFailureReason.SESSION_FAILURE_REASON_DRAINED);
        assertThat(waiting).allSatisfy(id -> assertThat(client.record(id).getState())
                .isEqualTo(SessionState.SESSION_STATE_WAITING));
    }

    @Test
    @DisplayName("T16: a worker stops as soon as its session is closed, whoever waits for the slot")
    void aWorkerStopsAsSoonAsItsSessionIsClosed() {
        UUID holder = opened();
        UUID waiting = open(1);
        CompletableFuture<Boolean> left = futures.workers.getFirst().leave(LONG_DRAIN_MILLIS);
        futures.cluster.world.run(20_000);
        assertThat(left).as("while its session is open").isNotDone();
        client.process.executor().execute(() -> client.close(holder, () -> {}));
        assertThat(futures.cluster.world.until("the worker has left", 60_000, left::isDone))
                .isLessThan(1_000);
        assertThat(left.join()).as("whether it has given back all that it had").isTrue();
        assertThat(client.record(waiting).getState()).isEqualTo(SessionState.SESSION_STATE_WAITING);
    }

    @Test
    void aWorkerThatSessionsWaitForInVainStopsAtOnce() {
        UUID waiting = open(2);
        futures.cluster.world.run(10_000);
        assertThat(client.record(waiting).getState()).isEqualTo(SessionState.SESSION_STATE_WAITING);
        CompletableFuture<Boolean> left = futures.workers.getFirst().leave(LONG_DRAIN_MILLIS);
        assertThat(futures.cluster.world.until("the worker has left", 60_000, left::isDone))
                .isLessThan(1_000);
        assertThat(left.join()).isTrue();
    }

    @Test
    void oneSlotIsPassedOnWithoutDelay() {
        List<UUID> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(open(1));
        }
        futures.cluster.world.run(2_000);
        for (int i = 0; i < all.size(); i++) {
            assertThat(opened).as("sessions that have had the slot").hasSize(i + 1);
            UUID holder = opened.keySet().stream()
                    .filter(id -> all.contains(id) && client.record(id).getState() == SessionState.SESSION_STATE_OPEN)
                    .findFirst()
                    .orElseThrow();
            client.process.executor().execute(() -> client.close(holder, () -> {}));
            int so = i + 2;
            if (so <= all.size()) {
                assertThat(futures.cluster.world.until("the next one has the slot", 60_000, () -> opened.size() == so))
                        .as("milliseconds from the end of a session to the next one")
                        .isLessThan(100);
            }
        }
    }

    private UUID open(int slots) {
        UUID id = client.newId();
        client.process
                .executor()
                .execute(() ->
                        client.open(request(id, slots, LONG_DRAIN_MILLIS).build(), session -> opened.put(id, session)));
        return id;
    }

    private UUID opened() {
        UUID id = open(1);
        futures.cluster.world.until("a session is open", 10_000, () -> opened.containsKey(id));
        return id;
    }
}
