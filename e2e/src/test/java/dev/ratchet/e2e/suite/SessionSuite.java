/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.Session.CloseMode;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionHandedOverException;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionState;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions of two workers with a slot each: what programs, commands and the cluster's status say of them is the same.
 */
@Order(6)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionSuite {

    private static final SessionOptions DETACHED = SessionOptions.defaults().withDetachment();
    private static final SessionOptions ROOM = SessionOptions.ofSlot("room").withDetachment();

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private Ratchet ratchet;

    @TempDir
    static Path home;

    @BeforeAll
    void applyACluster() {
        cluster = Cluster.in(environment, "sessions", "hotel").apply(2, """
                storage: {size: 1Gi}
                slots: [{name: room, count: 1}]
            """);
        ratchet = cluster.connect();
        cluster.awaitReady(2);
    }

    @AfterAll
    void deleteIt() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @Test
    @Order(1)
    void aSessionIsShownWhileItIsOpenAndClosedByItsCommand() throws InterruptedException {
        Session session = ratchet.sessions().open(ROOM.withName("guest"));
        assertThat(session.submit(Tasks.constant(42)).get(Cluster.TIMEOUT)).isEqualTo(42);
        String id = session.info().id().toString();
        assertThat(command("list")).contains(id, "OPEN", "guest", session.info().seat());
        assertThat(command("show", id)).contains("guest", "room/0");
        cluster.awaitThat("a slot of each worker to be told", () -> capacity() == 2);
        command("close", id);
        awaitState(session, SessionState.CLOSED);
        assertThatThrownBy(() -> session.submit(Tasks.constant(1)).get(Cluster.TIMEOUT))
                .isInstanceOf(SessionClosedException.class);
    }

    @Test
    @Order(2)
    void anotherProgramTakesASessionOverOnTheSameSlot() throws InterruptedException {
        Session former = ratchet.sessions().open(ROOM);
        SessionInfo before = former.info();
        String reference = former.ref(SessionRef.Access.OWN).text();
        try (Ratchet other = cluster.connect();
                Session session = other.sessions().handOver(SessionRef.parse(reference), CloseMode.DRAIN, DETACHED)) {
            assertThat(session.submit(Tasks.constant(7)).get(Cluster.TIMEOUT)).isEqualTo(7);
            assertThat(session.info().seat()).isEqualTo(before.seat());
            assertThat(session.info().slots()).isEqualTo(before.slots());
            assertThatThrownBy(() -> former.submit(Tasks.constant(1)).get(Cluster.TIMEOUT))
                    .isInstanceOf(SessionHandedOverException.class);
        }
    }

    @Test
    @Order(3)
    void whoWaitsGetsTheSlotsThatAnEditAdds() throws Exception {
        try (Session first = ratchet.sessions().open(ROOM);
                Session second = ratchet.sessions().open(ROOM)) {
            assertThat(first.info().seat()).isNotEqualTo(second.info().seat());
            Thread waiting = Thread.startVirtualThread(this::openAndClose);
            cluster.awaitThat("one session to wait", () -> sessions(SessionState.WAITING) == 1);
            rooms(2);
            assertThat(waiting.join(Cluster.TIMEOUT))
                    .as("a slot for the one that waits")
                    .isTrue();
            cluster.awaitThat("twice the slots to be told", () -> capacity() == 4);
            rooms(1);
            cluster.awaitThat("fewer slots to be told", () -> capacity() == 2);
            assertThat(second.submit(Tasks.constant(2)).get(Cluster.TIMEOUT)).isEqualTo(2);
            cluster.awaitThat("the session that waited to be closed", () -> sessions(SessionState.OPEN) == 2);
        }
    }

    @Test
    @Order(4)
    void aSessionThatMayGoesOnAfterItsProcessWasKilledAndAnotherFails() throws Exception {
        try (Session lasting = ratchet.sessions().open(ROOM.withReestablishment(Duration.ofMinutes(2)))) {
            String seat = lasting.info().seat();
            Session lost = ratchet.sessions().open(DETACHED);
            while (!lost.info().seat().equals(seat)) {
                lost = ratchet.sessions().open(DETACHED);
            }
            environment.kill(pod(seat));
            Session failed = lost;
            awaitState(failed, SessionState.FAILED);
            assertThat(failed.info().failureReason()).contains(SessionFailureReason.WORKER_LOST);
            cluster.awaitThat("the other session to be there again", () -> {
                SessionInfo now = lasting.info();
                return now.state() == SessionState.OPEN && now.bindings() == 2;
            });
            assertThat(lasting.submit(Tasks.constant(3)).get(Cluster.TIMEOUT)).isEqualTo(3);
            assertThat(lasting.info().seat()).isEqualTo(seat);
        }
    }

    @Test
    @Order(5)
    void aWorkerThatLeavesWaitsForItsSession() throws Exception {
        try (Session one = ratchet.sessions().open(ROOM);
                Session two = ratchet.sessions().open(ROOM)) {
            cluster.patchReplicas(1);
            cluster.awaitThat("a layout without one of the workers to come", () -> "False"
                    .equals(cluster.condition("LayoutStable")));
            // Which of them leaves is the operator's choice: both go on.
            assertThat(one.submit(Tasks.constant(5)).get(Cluster.TIMEOUT)).isEqualTo(5);
            assertThat(two.submit(Tasks.constant(6)).get(Cluster.TIMEOUT)).isEqualTo(6);
            one.close();
            two.close();
            cluster.awaitReady(1);
            awaitState(one, SessionState.CLOSED);
            awaitState(two, SessionState.CLOSED);
        }
    }

    private void openAndClose() {
        try (Session third = ratchet.sessions().open(ROOM)) {
            assertThat(third.info().state()).isEqualTo(SessionState.OPEN);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private void rooms(int count) {
        environment
                .kubectl()
                .run(
                        "patch",
                        "computecluster",
                        cluster.name,
                        "-n",
                        cluster.namespace,
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"workers\":{\"slots\":[{\"name\":\"room\",\"count\":" + count + "}]}}}")
                .succeeded();
    }

    private void awaitState(Session session, SessionState state) {
        cluster.awaitThat("the session to be " + state, () -> session.info().state() == state);
    }

    private String command(String... words) {
        String[] all = new String[words.length + 4];
        all[0] = "ratchet";
        all[1] = "sessions";
        System.arraycopy(words, 0, all, 2, words.length);
        all[words.length + 2] = "-n";
        all[words.length + 3] = cluster.namespace;
        return new Plugin(environment, home).kubectl(all).succeeded();
    }

    private Pod pod(String seat) {
        return Objects.requireNonNull(environment
                .client()
                .pods()
                .inNamespace(cluster.namespace)
                .withName(seat)
                .get());
    }

    private long sessions(SessionState state) {
        return ratchet.sessions()
                .list()
                .filter(session -> session.state() == state)
                .count();
    }

    /** How many rooms there are, as the cluster's status has it; how many are held it tells from time to time. */
    private int capacity() {
        GenericKubernetesResource resource = Objects.requireNonNull(cluster.resource());
        List<Map<String, Object>> slots = resource.get("status", "slots");
        return (int) slots.getFirst().get("capacity");
    }
}
