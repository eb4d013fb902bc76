/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.futures.queue.Capacity;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What tasks do with sessions, and with references that are of no use. */
class SessionUseTest extends SessionFixture {

    @Test
    void aTaskWhoseSessionIsClosedOpensAnother() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        String own = session.ref(Access.OWN).text();
        DurableFuture<String> task = session.submit(() -> {
            Ratchet.current().sessions().attach(SessionRef.parse(own)).close();
            try (Session next = Ratchet.current().sessions().open(OPTIONS)) {
                return next.info().state().name();
            }
        });
        assertThat(task.get(LONG)).isEqualTo("OPEN");
    }

    @Test
    void aTaskWhoseSessionHasFailedOpensAnother() throws Exception {
        Session session = ratchet.sessions().open(GPU.withExecutionTimeout(Duration.ofSeconds(1)));
        var unused = session.submit(() -> {
            latch("entered").countDown();
            try {
                pass("leave");
            } catch (InterruptedException told) {
                // Its session is over, and it goes on with another one.
            }
            Session next = Ratchet.current().sessions().open(OPTIONS.withDetachment());
            System.setProperty("test.session", next.ref(Access.OWN).text());
            latch("left").countDown();
            return "never recorded";
        });
        pass("entered");
        await("the session has failed").atMost(LONG).until(() -> session.info().state() == SessionState.FAILED);
        pass("left");
        Session next = ratchet.sessions().attach(SessionRef.parse(System.getProperty("test.session")));
        assertThat(next.info().state()).isEqualTo(SessionState.OPEN);
        next.close();
    }

    @Test
    void whatCanNotBeSerialisedLeavesNoSessionBehind() throws Exception {
        Object notSerialisable = new Object();
        assertThatThrownBy(() -> ratchet.sessions().run(GPU, 1, session -> session.submit(notSerialisable::hashCode)
                        .get(LONG)))
                .isInstanceOf(NotSerializableTaskException.class);
        DurableFuture<Integer> task = ratchet.submit(ratchet.defaultOptions().withMaxRetries(0), () -> {
            try (Session session = Ratchet.current().sessions().open(GPU)) {
                return session.submit(Ratchet.current().defaultOptions().withMaxRetries(0), Object::new)
                        .get(LONG)
                        .hashCode();
            }
        });
        assertThatThrownBy(() -> task.get(LONG)).isInstanceOf(TaskFailedException.class);
        try (Session one = ratchet.sessions().open(GPU);
                Session two = ratchet.sessions().open(GPU)) {
            assertThat(one.info().seat()).isNotEqualTo(two.info().seat());
        }
        await("no session is left")
                .atMost(LONG)
                .until(() -> ratchet.sessions().list().findAny().isEmpty());
    }

    @Test
    void aTaskOfNoSessionHasNone() throws Exception {
        assertThat(ratchet.submit(() -> TaskContext.current().session().isPresent())
                        .get(LONG))
                .isFalse();
    }

    @Test
    void aTaskThatIsRetriedInASessionStaysOnItsWorker() throws Exception {
        try (Session session = ratchet.sessions().open(GPU)) {
            DurableFuture<String> retried =
                    session.submit(ratchet.defaultOptions().withMaxRetries(2), () -> {
                        if (TaskContext.current().attempt() < 3) {
                            throw new IllegalStateException("on purpose");
                        }
                        return seat() + " at attempt " + TaskContext.current().attempt();
                    });
            assertThat(retried.get(LONG)).isEqualTo(session.info().seat() + " at attempt 3");
            assertThat(session.info().state()).isEqualTo(SessionState.OPEN);
        }
    }

    @Test
    void aTaskOnTheOnlyThreadOfAWorkerUsesASessionOfThatWorker() throws Exception {
        cluster.start(2, new Capacity(1_000, 0, 0, Map.of("alone", 1L)), 64 << 20);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).slots().change(Map.of("gpu", 0), Map.of(), 2);
        }
        DurableFuture<String> task = ratchet.submit(
                ratchet.defaultOptions()
                        .withRequirements(Requirements.defaults().withCustom("alone", 1)),
                () -> Ratchet.current()
                        .sessions()
                        .run(
                                GPU,
                                1,
                                session -> seat() + " and "
                                        + session.submit(SessionFixture::seat).get(LONG)));
        assertThat(task.get(LONG)).isEqualTo("orders-w-2 and orders-w-2");
    }

    @Test
    void aReferenceOfAnotherClusterIsToldSo() {
        SessionRef foreign = new SessionRef(UUID.randomUUID(), Access.OWN, "0".repeat(32));
        Session session = ratchet.sessions().attach(foreign);
        assertThatThrownBy(() -> session.submit(SessionFixture::seat).get(LONG))
                .isInstanceOf(SessionClosedException.class)
                .hasMessageContaining("is of another cluster");
        assertThatThrownBy(session::info)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is of another cluster");
        assertThatThrownBy(session::close)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is of another cluster");
        assertThatThrownBy(() -> ratchet.sessions().handOver(foreign, Session.CloseMode.DRAIN, OPTIONS))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is of another cluster");
    }

    @Test
    void whoWaitsForSlotsThatAnEditTookAwayIsToldSo() throws Exception {
        Session one = ratchet.sessions().open(GPU);
        Session two = ratchet.sessions().open(GPU);
        Thread waiting = openInVain(GPU);
        assertThat(messageOf("next")).as("while workers have such slots").isEmpty();
        offer(Map.of());
        one.close();
        two.close();
        awaitToldInVain("gpu");
        offer(Map.of("gpu", 1));
        pass("entered");
        waiting.join(LONG);
        await("nobody says that a session waits").atMost(LONG).until(() -> cluster.figure("sessions_waiting") == 0);
    }

    @Test
    void whoWaitsForSlotsThatNobodyHasHadIsToldSo() throws Exception {
        Thread waiting = openInVain(SessionOptions.ofSlot("port").waitingForCapacity());
        awaitToldInVain("port");
        offer(Map.of("port", 1));
        pass("entered");
        waiting.join(LONG);
    }

    private Thread openInVain(SessionOptions options) {
        Thread waiting = Thread.startVirtualThread(() -> {
            try (Session next = ratchet.sessions().open(options.withName("next"))) {
                latch("entered").countDown();
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("one session waits").atMost(LONG).until(() -> waitingNow() == 1);
        return waiting;
    }

    private void awaitToldInVain(String resource) {
        await("the session says that nobody has its slots").atMost(LONG).untilAsserted(() -> assertThat(
                        messageOf("next"))
                .isEqualTo("No worker has the slots {" + resource + "=1}; the most of each on one worker is {"
                        + resource + "=0}. Set spec.workers.slots and spec.workers.sessions of the cluster, or close"
                        + " the session."));
        await("a worker says that a session waits for what it does not have")
                .atMost(LONG)
                .until(() -> Stream.of("orders-w-0", "orders-w-1")
                        .map(seat -> cluster.worker(seat).engine().freeResources())
                        .anyMatch(said -> said.getOrDefault("slots/" + resource, 1L) == 0
                                && said.getOrDefault("slots-waiting/" + resource, 0L) == 1));
    }

    private void offer(Map<String, Integer> slots) {
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).slots().change(slots, Map.of(), 2);
        }
    }

    private String messageOf(String name) {
        return ratchet.sessions()
                .list()
                .filter(session -> session.name().equals(name))
                .map(SessionInfo::message)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theMetricsOfSessionsFollowThem() throws Exception {
        Session one = ratchet.sessions().open(GPU);
        Session two = ratchet.sessions().open(GPU);
        Thread waiting = Thread.startVirtualThread(() -> {
            try (Session next = ratchet.sessions().open(GPU)) {
                latch("entered").countDown();
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("all metrics say so").atMost(LONG).untilAsserted(() -> {
            assertThat(cluster.figure("sessions")).isEqualTo(2);
            assertThat(cluster.figure("session_slots"))
                    .as("{gpu=1, disk=2} and two that name no resource, of two workers")
                    .isEqualTo(10);
            assertThat(cluster.figure("session_slots_held")).isEqualTo(2);
            assertThat(cluster.figure("sessions_waiting")).isPositive();
        });
        one.close();
        two.close();
        pass("entered");
        waiting.join(LONG);
        await("nothing is held or waits").atMost(LONG).untilAsserted(() -> {
            assertThat(cluster.figure("sessions")).isZero();
            assertThat(cluster.figure("session_slots_held")).isZero();
            assertThat(cluster.figure("sessions_waiting")).isZero();
        });
    }
}
