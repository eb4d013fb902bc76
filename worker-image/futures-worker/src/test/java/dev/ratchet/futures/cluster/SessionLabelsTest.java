/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.Session.CloseMode;
import dev.ratchet.client.SessionCreationTimeoutException;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.keyspace.StoreRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that require labels of their workers, each of which has one slot {@code gpu}. Ships no tasks. */
class SessionLabelsTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final SessionOptions GPU = SessionOptions.ofSlot("gpu");
    private static final SessionOptions IN_A = GPU.withWorkerLabel("zone", "a");
    private static final Map<String, String> A = Map.of("zone", "a", "disk", "ssd");
    private static final Map<String, String> B = Map.of("zone", "b", "disk", "ssd");

    @TempDir
    Path directory;

    @Test
    void aSessionIsOnAWorkerThatHasAllLabelsThatItRequires() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1, B);
            cluster.start(1, 1, A);
            Ratchet ratchet = cluster.connect();
            for (int i = 0; i < 10; i++) {
                try (Session session = ratchet.sessions().open(IN_A.withWorkerLabel("disk", "ssd"))) {
                    assertThat(session.info().seat()).isEqualTo("orders-w-1");
                }
            }
            Session holder = ratchet.sessions().open(IN_A);
            assertThatThrownBy(() -> ratchet.sessions().open(IN_A.withCreationTimeout(SHORT)))
                    .as("the slot of the other worker is free")
                    .isInstanceOf(SessionCreationTimeoutException.class)
                    .hasMessageContaining("{gpu=1} with the worker labels {zone=a}");
            try (Session other = ratchet.sessions().open(GPU)) {
                assertThat(other.info().seat()).isEqualTo("orders-w-0");
            }
            CompletableFuture<Session> waiting = opening(ratchet, IN_A);
            await("a session waits").atMost(LONG).until(() -> waiting(ratchet) == 1);
            holder.close();
            assertThat(waiting.get(LONG.toSeconds(), TimeUnit.SECONDS).info().seat())
                    .isEqualTo("orders-w-1");
        }
    }

    @Test
    void whatNoWorkerHasIsRefusedAtOnceOrWaitsForAWorkerThatHasIt() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1, B);
            Ratchet ratchet = cluster.connect();
            assertThatThrownBy(() -> ratchet.sessions().open(IN_A))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("No worker has the slots {gpu=1} with the worker labels {zone=a}")
                    .hasMessageContaining("workers have the labels {zone=[b]}")
                    .hasMessageContaining("RATCHET_LABELS");
            assertThatThrownBy(() -> ratchet.sessions().open(IN_A.withWorkerLabel("disk", "hdd")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("workers have the labels {disk=[ssd], zone=[b]}");
            assertThatThrownBy(() -> ratchet.sessions().open(GPU.withWorkerLabel("gpuMillis", "0")))
                    .as("what the worker has for tasks")
                    .isInstanceOf(InvalidInputException.class);

            CompletableFuture<Session> waiting = opening(ratchet, IN_A.waitingForCapacity());
            await("why it waits").atMost(LONG).until(() -> ratchet.sessions()
                    .list()
                    .anyMatch(session -> session.message().contains("with the worker labels {zone=a}")));
            cluster.start(1, 1, A);
            assertThat(waiting.get(LONG.toSeconds(), TimeUnit.SECONDS).info().seat())
                    .isEqualTo("orders-w-1");
        }
    }

    @Test
    void aSessionGoesOnAfterARestartOnlyWhereTheWorkerHasTheLabelsStill() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1, B);
            TestWorker first = cluster.start(1, 1, A);
            Ratchet ratchet = cluster.connect();
            Session session = ratchet.sessions().open(IN_A.withReestablishment(LONG));
            TestWorker second = restart(cluster, first, A);
            await("it goes on").atMost(LONG).until(() -> session.info().bindings() == 2);
            assertThat(session.info().state()).isEqualTo(SessionState.OPEN);

            restart(cluster, second, B);
            await("it is over").atMost(LONG).until(() -> session.info().state() == SessionState.FAILED);
            SessionInfo failed = session.info();
            assertThat(failed.failureReason()).contains(SessionFailureReason.WORKER_LOST);
            assertThat(failed.message())
                    .contains("came back with the release " + ReleaseFormats.OWN.release())
                    .contains("the labels {disk=ssd, zone=b}; the session requires the slots {gpu=1} with the worker"
                            + " labels {zone=a}");
            try (Session one = ratchet.sessions().open(GPU);
                    Session other = ratchet.sessions().open(GPU)) {
                assertThat(one.info().seat())
                        .as("the slot that it had is free")
                        .isNotEqualTo(other.info().seat());
            }
        }
    }

    private static TestWorker restart(TestCluster cluster, TestWorker former, Map<String, String> labels)
            throws Exception {
        cluster.park(former, LONG.toMillis());
        former.leave(LONG.toMillis());
        cluster.work();
        return cluster.start(1, 1, labels);
    }

    @Test
    void aSessionThatTakesOverAnotherOneRequiresNoLabelsOfItsOwn() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1, A);
            Ratchet ratchet = cluster.connect();
            Session former = ratchet.sessions().open(IN_A);
            assertThatThrownBy(() -> ratchet.sessions()
                            .handOver(
                                    former.ref(Access.OWN),
                                    CloseMode.DRAIN,
                                    SessionOptions.defaults().withWorkerLabel("zone", "b")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("names neither slots nor labels of a worker");
            assertThat(former.info().state()).isEqualTo(SessionState.OPEN);
        }
    }

    /** A worker of the release before would grant its slots to such a session whatever labels it has. */
    @Test
    void labelsAreRequiredOnceTheFormatsAreRaised() throws Exception {
        ReleaseFormats former = new ReleaseFormats("0.1.0", new VersionRange(1, 1));
        try (TestCluster cluster = new TestCluster(directory, UnaryOperator.identity(), former)) {
            TestWorker worker = cluster.start(0, 1, A);
            Ratchet ratchet = cluster.connect();
            assertThatThrownBy(() -> ratchet.sessions().open(IN_A))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("once the upgrade of the cluster is finalized: its format level is 1");

            int raised = ReleaseFormats.OWN.levels().newest();
            cluster.database().run(transaction -> StoreRecord.raiseFormat(
                            transaction, cluster.keyspace(), raised, ReleaseFormats.OWN)
                    .join());
            await("the worker to know of the level")
                    .atMost(LONG)
                    .until(() -> worker.membership().formats().get() == raised);
            try (Session session = ratchet.sessions().open(IN_A)) {
                assertThat(session.info().seat()).isEqualTo("orders-w-0");
            }
        }
    }

    @Test
    void labelsThatAreRequiredAreLimited() {
        assertThatThrownBy(() -> IN_A.withWorkerLabel("not a key", "")).isInstanceOf(InvalidInputException.class);
        SessionOptions most = GPU;
        for (int i = 0; i < 16; i++) {
            most = most.withWorkerLabel("key-" + i, "");
        }
        SessionOptions all = most;
        assertThatThrownBy(() -> all.withWorkerLabel("one-more", ""))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("requires of its worker at most 16 labels");
    }

    private static long waiting(Ratchet ratchet) {
        return ratchet.sessions()
                .list()
                .filter(session -> session.state() == SessionState.WAITING)
                .count();
    }

    private static CompletableFuture<Session> opening(Ratchet ratchet, SessionOptions options) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ratchet.sessions().open(options);
            } catch (InterruptedException interrupted) {
                throw new CompletionException(interrupted);
            }
        });
    }
}
