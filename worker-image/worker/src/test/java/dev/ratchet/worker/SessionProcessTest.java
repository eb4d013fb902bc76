/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionFailedException;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions on workers that are processes and are killed: a slot has one session at a time, whatever becomes of it. */
class SessionProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    /** Far less than the drain of a worker that waits for what does not come. */
    private static final int STOP_SECONDS = 20;

    private static final SessionOptions GPU = SessionOptions.ofSlot("gpu").waitingForCapacity();

    @TempDir
    Path directory;

    private final Map<String, Process> workers = new HashMap<>();
    private final List<SessionInfo> opened = new CopyOnWriteArrayList<>();

    @Test
    @DisplayName("T1, T5, T11: a session goes on after a kill, one that may not fails, and another one is run")
    void sessionsWhoseWorkersAreKilledGoOnOrFailAndAreRunAgain() throws Exception {
        Path uses = Files.createDirectories(directory.resolve("uses"));
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.offerSlots("gpu", 1);
            for (int ordinal = 0; ordinal < 2; ordinal++) {
                start(cluster, ordinal);
            }
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0, 1))) {
                Session kept = open(ratchet, GPU.withReestablishment(LONG));
                Session lost = open(ratchet, GPU);
                String seat = kept.info().seat();
                String other = lost.info().seat();
                assertThat(other).as("one has one slot").isNotEqualTo(seat);

                DurableFuture<String> goesOn = kept.submit(new SlotUse(uses, "kept"));
                awaitFile(SlotUse.begun(uses, "kept", seat, 1));
                kill(seat);
                start(cluster, ordinal(seat));
                awaitFile(SlotUse.begun(uses, "kept", seat, 2));
                opened.add(kept.info());
                Files.createFile(SlotUse.end(uses, "kept"));
                assertThat(goesOn.get(LONG)).isEqualTo(seat);
                kept.close();

                DurableFuture<String> ends = lost.submit(new SlotUse(uses, "lost"));
                awaitFile(SlotUse.begun(uses, "lost", other, 1));
                CompletableFuture<String> run = runAgain(ratchet, uses);
                awaitFile(SlotUse.begun(uses, "run", seat, 1));
                kill(other);
                assertThatThrownBy(() -> ends.get(LONG))
                        .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                                .isEqualTo(SessionFailureReason.WORKER_LOST));
                start(cluster, ordinal(other));
                kill(seat);
                awaitFile(SlotUse.begun(uses, "run", other, 1));
                Files.createFile(SlotUse.end(uses, "run"));
                assertThat(run.get(120, TimeUnit.SECONDS)).isEqualTo(other);
                assertThat(lost.info().failureReason()).contains(SessionFailureReason.WORKER_LOST);
            }
        }
        Set<String> grants = new HashSet<>();
        for (SessionInfo session : opened) {
            session.fences().forEach((slot, fence) -> assertThat(grants.add(session.seat() + "/" + slot + " " + fence))
                    .as("each grant of a slot has a number of its own: %s", session)
                    .isTrue());
        }
        assertThat(grants).as("two sessions, one of them twice, and two runs").hasSize(5);
    }

    @Test
    @DisplayName("T16: a worker whose slots are all held stops although others wait for them")
    void aWorkerWhoseSlotsAreAllHeldStopsAlthoughOthersWait() throws Exception {
        Path uses = Files.createDirectories(directory.resolve("uses"));
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.offerSlots("gpu", 1);
            start(cluster, 0, 1_000);
            start(cluster, 1, 600_000);
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0, 1))) {
                Session one = open(ratchet, GPU);
                Session other = open(ratchet, GPU);
                boolean first = one.info().seat().equals(TestCluster.seat(0));
                Session busy = first ? one : other;
                Session idle = first ? other : one;
                DurableFuture<String> runs = busy.submit(new SlotUse(uses, "busy"));
                awaitFile(SlotUse.begun(uses, "busy", busy.info().seat(), 1));
                CompletableFuture<String> next = runAgain(ratchet, uses);
                await("one session waits").atMost(LONG).until(() -> waiting(ratchet) == 1);

                stop(
                        "all of its slots are held, and one session waits",
                        busy.info().seat());

                assertThatThrownBy(() -> runs.get(LONG))
                        .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                                .isEqualTo(SessionFailureReason.DRAINED));
                idle.close();
                String last = idle.info().seat();
                awaitFile(SlotUse.begun(uses, "run", last, 1));
                Files.createFile(SlotUse.end(uses, "run"));
                assertThat(next.get(120, TimeUnit.SECONDS)).isEqualTo(last);

                Thread inVain = Thread.startVirtualThread(() -> openInVain(ratchet));
                await("one session waits").atMost(LONG).until(() -> waiting(ratchet) == 1);
                stop("a session waits for more slots than it has", last);
                inVain.interrupt();
            }
        }
    }

    @Test
    void aSessionIsOnTheWorkerWhoseVariableHasTheLabelThatItRequires() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.offerSlots("gpu", 1);
            start(cluster, 0);
            ProcessBuilder labelled = cluster.worker(1);
            labelled.environment().put("RATCHET_LABELS", "zone=a,disk=ssd");
            cluster.start(labelled);
            await("the workers are ready").atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                Session labelledOne = ratchet.sessions().open(GPU.withWorkerLabel("zone", "a"));
                Session other = ratchet.sessions().open(GPU);
                assertThat(labelledOne.info().seat()).isEqualTo(TestCluster.seat(1));
                assertThat(other.info().seat()).isEqualTo(TestCluster.seat(0));
            }
        }
    }

    private static long waiting(Ratchet ratchet) {
        return ratchet.sessions()
                .list()
                .filter(session -> session.state() == SessionState.WAITING)
                .count();
    }

    private static void openInVain(Ratchet ratchet) {
        try {
            var unused = ratchet.sessions().open(GPU.withSlots("gpu", 2));
        } catch (InterruptedException | RatchetException ended) {
            // Nobody has two.
        }
    }

    /** As the kubelet does. */
    private void stop(String when, String seat) throws InterruptedException {
        Process worker = workers.get(seat);
        long began = System.nanoTime();
        worker.destroy();
        assertThat(worker.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
                .as("the end of a worker when " + when)
                .isTrue();
        System.out.println("A worker has stopped after " + (System.nanoTime() - began) / 1_000_000 + " ms: " + when);
        assertThat(worker.exitValue()).isZero();
    }

    private CompletableFuture<String> runAgain(Ratchet ratchet, Path uses) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ratchet.sessions().run(GPU, 3, session -> {
                    opened.add(session.info());
                    return session.submit(new SlotUse(uses, "run")).get(LONG);
                });
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
    }

    private Session open(Ratchet ratchet, SessionOptions options) throws InterruptedException {
        Session session = ratchet.sessions().open(options);
        opened.add(session.info());
        return session;
    }

    private void start(TestCluster cluster, int ordinal) throws Exception {
        workers.put(TestCluster.seat(ordinal), cluster.start(cluster.worker(ordinal)));
    }

    private void start(TestCluster cluster, int ordinal, long drainMillis) throws Exception {
        ProcessBuilder worker = cluster.worker(ordinal);
        worker.environment().put("RATCHET_DRAIN_TIMEOUT_MILLIS", Long.toString(drainMillis));
        workers.put(TestCluster.seat(ordinal), cluster.start(worker));
    }

    private void kill(String seat) throws InterruptedException {
        workers.get(seat).destroyForcibly().waitFor();
    }

    private static int ordinal(String seat) {
        return Integer.parseInt(seat.substring(seat.lastIndexOf('-') + 1));
    }

    private static void awaitFile(Path file) {
        await("the file " + file.getFileName()).atMost(LONG).until(() -> Files.exists(file));
    }
}
