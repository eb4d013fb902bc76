/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.Session;
import dev.ratchet.client.Session.CloseMode;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionCreationTimeoutException;
import dev.ratchet.client.SessionFailedException;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionHandedOverException;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.SessionStateLostException;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program sees of sessions, on two workers that have {gpu=1, disk=2} and two unnamed sessions each. */
class SessionTest {

    private static final SessionOptions GPU = SessionOptions.ofSlot("gpu");
    private static final SessionOptions OPTIONS = SessionOptions.defaults();
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final List<String> LATCHES = List.of("entered", "leave", "left");

    private TestCluster cluster;
    private Ratchet ratchet;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        LATCHES.forEach(name -> System.getProperties().put(key(name), new CountDownLatch(1)));
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        cluster.start(1, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        LATCHES.forEach(name -> latch(name).countDown());
        cluster.close();
        LATCHES.forEach(name -> System.getProperties().remove(key(name)));
    }

    /** What tasks share with the test: they run in this process, with classes of their own. */
    private static CountDownLatch latch(String name) {
        return (CountDownLatch) System.getProperties().get(key(name));
    }

    private static String key(String name) {
        return "test.latch." + name;
    }

    private static void pass(String name) throws InterruptedException {
        if (!latch(name).await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Nobody has opened the latch '" + name + "'");
        }
    }

    private static String seat() {
        return TaskContext.current().seat();
    }

    @Test
    void allFuturesOfASessionRunOnTheWorkerThatHoldsIt() throws Exception {
        try (Session session = ratchet.sessions().open(GPU)) {
            assertThat(session.info().slots()).isEqualTo(Map.of("gpu", List.of(0)));
            assertThat(session.info().fences().get("gpu/0")).isPositive();
            Set<String> seats = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                seats.add(session.submit(SessionTest::seat).get(LONG));
            }
            assertThat(seats).containsExactly(session.info().seat());
            assertThat(session.submit(() -> TaskContext.current()
                                    .session()
                                    .orElseThrow()
                                    .id()
                                    .toString())
                            .get(LONG))
                    .isEqualTo(session.info().id().toString());
        }
    }

    @Test
    void slotsAreExclusiveAndServedInTheOrderOfAsking() throws Exception {
        Session one = ratchet.sessions().open(GPU);
        Session two = ratchet.sessions().open(GPU);
        assertThat(one.info().seat()).isNotEqualTo(two.info().seat());
        assertThatThrownBy(() -> ratchet.sessions().open(GPU.withCreationTimeout(SHORT)))
                .isInstanceOf(SessionCreationTimeoutException.class)
                .hasMessageContaining("{gpu=1}")
                .hasMessageContaining("200 ms");
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            waiting.add(Thread.startVirtualThread(() -> {
                try (Session next = ratchet.sessions().open(GPU)) {
                    served.add(number);
                } catch (InterruptedException unschedulable) {
                    throw new IllegalStateException(unschedulable);
                }
            }));
            int now = i + 1;
            await("the session waits").atMost(LONG).until(() -> waitingNow() == now);
        }
        one.close();
        for (Thread thread : waiting) {
            thread.join(LONG);
        }
        assertThat(served).containsExactly(0, 1, 2);
        two.close();
    }

    @Test
    void aWorkerSaysHowManySlotsItHasHowManyAreHeldAndHowManySessionsWait() throws Exception {
        Session one = ratchet.sessions().open(GPU);
        Session two = ratchet.sessions().open(GPU);
        Map<String, Long> before = cluster.worker(one.info().seat()).engine().freeResources();
        assertThat(before).containsEntry("slots/gpu", 1L).containsEntry("slots-free/gpu", 0L);
        Thread waiting = Thread.startVirtualThread(() -> {
            try (Session next = ratchet.sessions().open(GPU)) {
                latch("entered").countDown();
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("a worker sees the session that waits").atMost(LONG).until(() -> waitingFor("gpu") == 1);
        one.close();
        pass("entered");
        waiting.join(LONG);
        two.close();
        await("no session waits").atMost(LONG).until(() -> waitingFor("gpu") == 0);
    }

    private long waitingFor(String resource) {
        return Stream.of("orders-w-0", "orders-w-1")
                .mapToLong(seat -> cluster.worker(seat).engine().freeResources().get("slots-waiting/" + resource))
                .max()
                .orElseThrow();
    }

    private long waitingNow() {
        return ratchet.sessions()
                .list()
                .filter(session -> session.state() == SessionState.WAITING)
                .count();
    }

    @Test
    void severalResourcesAreGrantedTogetherOrNotAtAll() throws Exception {
        SessionOptions both = GPU.withSlots("disk", 2);
        Session holder = ratchet.sessions().open(both);
        Session other = ratchet.sessions().open(SessionOptions.ofSlot("disk"));
        assertThat(holder.info().slots()).isEqualTo(Map.of("gpu", List.of(0), "disk", List.of(0, 1)));
        assertThatThrownBy(() -> ratchet.sessions().open(both.withCreationTimeout(SHORT)))
                .isInstanceOf(SessionCreationTimeoutException.class);
        try (Session gpu = ratchet.sessions().open(GPU)) {
            assertThat(gpu.info().seat())
                    .as("what the one that waited in vain did not keep")
                    .isEqualTo(other.info().seat());
        }
        other.close();
        holder.close();
    }

    @Test
    void whatNoWorkerHasIsRefusedAtOnce() {
        assertThatThrownBy(() -> ratchet.sessions().open(GPU.withSlots("gpu", 2)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("No worker has the slots {gpu=2}; the most of each on one worker is {gpu=1}");
        assertThatThrownBy(() -> ratchet.sessions().open(SessionOptions.ofSlot("Gpu")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'Gpu'");
    }

    @Test
    void aFailingFutureLeavesTheSessionOpenAndAClosedOneTakesNone() throws Exception {
        Session session = ratchet.sessions().open(SessionOptions.defaults());
        SessionRef reference = session.ref(Access.USE);
        DurableFuture<String> failing = session.submit(ratchet.defaultOptions().withMaxRetries(0), () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(() -> failing.get(LONG)).isInstanceOf(TaskFailedException.class);
        assertThat(session.info().state()).isEqualTo(SessionState.OPEN);

        session.close();
        session.close();
        assertThatThrownBy(() -> session.submit(SessionTest::seat)).isInstanceOf(SessionClosedException.class);
        assertThatThrownBy(() -> ratchet.sessions()
                        .attach(reference)
                        .submit(SessionTest::seat)
                        .get(LONG))
                .isInstanceOf(SessionClosedException.class);
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
    }

    @Test
    void aSlotIsFreeOnlyOnceTheCodeOfItsSessionHasEnded() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        Session other = ratchet.sessions().open(GPU);
        DurableFuture<String> stubborn = session.submit(() -> {
            latch("entered").countDown();
            while (latch("leave").getCount() > 0) {
                try {
                    pass("leave");
                } catch (InterruptedException notNow) {
                    // It does not let itself be interrupted.
                }
            }
            latch("left").countDown();
            return "done";
        });
        pass("entered");
        session.close(CloseMode.CANCEL);
        assertThatThrownBy(() -> stubborn.get(LONG)).isInstanceOf(RatchetException.class);
        assertThat(session.info().state()).isEqualTo(SessionState.CLOSING);
        assertThatThrownBy(() -> ratchet.sessions().open(GPU.withCreationTimeout(SHORT)))
                .isInstanceOf(SessionCreationTimeoutException.class);
        latch("leave").countDown();
        pass("left");
        try (Session next = ratchet.sessions().open(GPU)) {
            assertThat(next.info().seat()).isNotEqualTo(other.info().seat());
        }
        other.close();
    }

    @Test
    void drainingLetsFuturesEndAndCancellingDoesNot() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        DurableFuture<String> running = session.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "done";
        });
        List<DurableFuture<String>> queued = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            queued.add(session.submit(SessionTest::seat));
        }
        pass("entered");
        session.close();
        latch("leave").countDown();
        assertThat(running.get(LONG)).isEqualTo("done");
        for (DurableFuture<String> future : queued) {
            assertThat(future.get(LONG)).isEqualTo(session.info().seat());
        }
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
    }

    @Test
    void aSessionFailsWithItsWorkerAndIsRunAgainOnAnother() throws Exception {
        AtomicInteger sessions = new AtomicInteger();
        String seat = ratchet.sessions().run(GPU, 3, session -> {
            if (sessions.incrementAndGet() == 1) {
                DurableFuture<String> running = session.submit(() -> {
                    latch("entered").countDown();
                    pass("leave");
                    return "never recorded";
                });
                pass("entered");
                cluster.worker(session.info().seat()).kill();
                assertThatThrownBy(() -> running.get(LONG))
                        .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                                .isEqualTo(SessionFailureReason.WORKER_LOST));
                assertThat(session.info().failureReason()).contains(SessionFailureReason.WORKER_LOST);
                return session.submit(SessionTest::seat).get(LONG);
            }
            return session.submit(SessionTest::seat).get(LONG);
        });
        assertThat(sessions).hasValue(2);
        assertThat(seat).isNotEmpty();
    }

    @Test
    void anExecutionTimeoutFailsTheSession() throws Exception {
        Session session = ratchet.sessions().open(GPU.withExecutionTimeout(SHORT));
        DurableFuture<String> running = session.submit(() -> {
            pass("leave");
            return "too late";
        });
        assertThatThrownBy(() -> running.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.EXPIRED));
        assertThat(session.info().message()).contains("200 ms");
    }

    @Test
    void othersUseASessionByItsReferenceAndCloseItOnlyByThatOfItsOwner() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        SessionRef use = SessionRef.parse(session.ref(Access.USE).text());
        SessionRef own = session.ref(Access.OWN);
        String seat = ratchet.<String>submit(() -> {
                    try (Session attached = Ratchet.current().sessions().attach(use)) {
                        return attached.submit(SessionTest::seat).get(LONG);
                    }
                })
                .get(LONG);
        assertThat(seat).isEqualTo(session.info().seat());
        assertThat(session.info().state())
                .as("after the child has closed its handle")
                .isEqualTo(SessionState.OPEN);

        Session attached = ratchet.sessions().attach(use);
        assertThatThrownBy(() -> attached.close(CloseMode.CANCEL)).isInstanceOf(InvalidInputException.class);
        SessionRef forged = new SessionRef(use.id(), Access.OWN, use.secretHex());
        assertThatThrownBy(() -> ratchet.sessions().attach(forged).close(CloseMode.CANCEL))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("may not close");
        SessionRef wrong = new SessionRef(use.id(), Access.USE, "0".repeat(32));
        assertThatThrownBy(() -> ratchet.sessions()
                        .attach(wrong)
                        .submit(SessionTest::seat)
                        .get(LONG))
                .isInstanceOf(SessionClosedException.class)
                .hasMessageContaining("not the right one");

        ratchet.sessions().attach(own).close(CloseMode.CANCEL);
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
    }

    @Test
    void aSessionIsTakenOverByAnotherProgramWhichHasItsSlotsAndClosesIt() throws Exception {
        Session first = ratchet.sessions().open(GPU);
        Session other = ratchet.sessions().open(GPU);
        Thread rival = Thread.startVirtualThread(() -> {
            try (Session next = ratchet.sessions().open(GPU)) {
                latch("left").countDown();
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("the rival waits").atMost(LONG).until(() -> waitingNow() == 1);
        DurableFuture<String> running = first.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "done";
        });
        pass("entered");
        Map<String, Long> before = first.info().fences();
        String seat = first.info().seat();
        SessionRef own = SessionRef.parse(first.ref(Access.OWN).text());

        assertThatThrownBy(() -> ratchet.sessions().handOver(first.ref(Access.USE), CloseMode.DRAIN, OPTIONS))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("permits to use");
        Ratchet program = cluster.connect();
        CompletableFuture<Session> taking = CompletableFuture.supplyAsync(() -> {
            try {
                return program.sessions().handOver(own, CloseMode.DRAIN, OPTIONS);
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("the former is told").atMost(LONG).until(() -> first.info().state() == SessionState.CLOSING);
        assertThatThrownBy(() -> first.submit(SessionTest::seat).get(LONG))
                .isInstanceOf(SessionHandedOverException.class)
                .hasMessageContaining("was handed over to the session");
        assertThat(taking).as("code of the former still runs").isNotDone();
        latch("leave").countDown();
        Session taken = taking.get(30, TimeUnit.SECONDS);
        assertThat(running.get(LONG)).isEqualTo("done");
        assertThat(taken.info().seat()).isEqualTo(seat);
        assertThat(taken.info().slots()).isEqualTo(Map.of("gpu", List.of(0)));
        assertThat(taken.info().fences().get("gpu/0")).isEqualTo(before.get("gpu/0") + 1);
        assertThat(taken.submit(SessionTest::seat).get(LONG)).isEqualTo(seat);
        assertThat(first.info().state()).isEqualTo(SessionState.CLOSED);
        assertThatThrownBy(() -> ratchet.sessions().handOver(own, CloseMode.DRAIN, OPTIONS))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("was handed over to the session");
        first.close();
        assertThat(taken.info().state()).isEqualTo(SessionState.OPEN);
        assertThat(latch("left").getCount()).as("the rival still waits").isEqualTo(1);
        taken.close();
        rival.join(LONG);
        other.close();
    }

    @Test
    void whoTakesOverASessionWhoseWorkerIsLostIsToldSo() throws Exception {
        Session first = ratchet.sessions().open(GPU);
        var unused = first.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "never recorded";
        });
        pass("entered");
        CompletableFuture<Session> taking = CompletableFuture.supplyAsync(() -> {
            try {
                return ratchet.sessions().handOver(first.ref(Access.OWN), CloseMode.DRAIN, OPTIONS);
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("the former is told").atMost(LONG).until(() -> first.info().state() == SessionState.CLOSING);
        cluster.worker(first.info().seat()).kill();
        assertThat(taking)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SessionFailedException.class);
    }

    @Test
    void aSessionGoesOnWhereItsWorkerTakesTheSameSeatInTime() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG));
        SessionInfo before = session.info();
        assertThat(before.bindings()).isEqualTo(1);
        cluster.worker(before.seat()).kill();
        await("the session is suspended")
                .atMost(LONG)
                .until(() -> session.info().state() == SessionState.SUSPENDED);
        DurableFuture<String> meanwhile = session.submit(SessionTest::seat);
        cluster.start(Integer.parseInt(before.seat().substring("orders-w-".length())), 2);
        assertThat(meanwhile.get(LONG)).isEqualTo(before.seat());
        SessionInfo after = session.info();
        assertThat(after.state()).isEqualTo(SessionState.OPEN);
        assertThat(after.bindings()).isEqualTo(2);
        assertThat(after.slots()).isEqualTo(before.slots());
        assertThat(after.fences().get("gpu/0"))
                .as("nobody else had the slot in between")
                .isEqualTo(before.fences().get("gpu/0") + 1);

        DurableFuture<String> vetoed = session.submit(() -> {
            throw new SessionStateLostException("the model is not loaded");
        });
        assertThatThrownBy(() -> vetoed.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.STATE_LOST))
                .hasMessageContaining("the model is not loaded");
        await("the slot is free")
                .atMost(LONG)
                .until(() -> session.info().slots().isEmpty());
    }

    @Test
    void aSessionWhoseSeatIsNotTakenInTimeFails() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(SHORT));
        cluster.worker(session.info().seat()).kill();
        DurableFuture<String> never = session.submit(SessionTest::seat);
        assertThatThrownBy(() -> never.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.WORKER_LOST))
                .hasMessageContaining("its seat was not taken again within 200 ms");
    }

    @Test
    void aTaskOfAnOpenSessionOpensNoOther() throws Exception {
        try (Session session = ratchet.sessions().open(GPU)) {
            DurableFuture<String> nested =
                    session.submit(ratchet.defaultOptions().withMaxRetries(0), () -> {
                        try (Session inner = Ratchet.current().sessions().open(SessionOptions.defaults())) {
                            return inner.info().seat();
                        }
                    });
            assertThatThrownBy(() -> nested.get(LONG)).hasMessageContaining("The task runs in a session that is open");
        }
    }

    @Test
    void aSessionEndsWithTheProgramThatHasOpenedItUnlessItIsDetached() throws Exception {
        Ratchet other = cluster.connect();
        Session owned = other.sessions().open(GPU);
        Session detached = other.sessions().open(GPU.withDetachment());
        SessionRef ofOwned = owned.ref(Access.USE);
        SessionRef ofDetached = detached.ref(Access.OWN);
        other.close();
        await("the session of the program is closed")
                .atMost(LONG)
                .until(() -> ratchet.sessions().attach(ofOwned).info().state() == SessionState.CLOSED);
        Session stillOpen = ratchet.sessions().attach(ofDetached);
        assertThat(stillOpen.info().state()).isEqualTo(SessionState.OPEN);
        stillOpen.close();
    }

    @Test
    void aWorkerWithFewerSlotsKeepsItsSessionsAndGrantsNoMore() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        Session other = ratchet.sessions().open(GPU);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).slots().change(Map.of("gpu", 0), 2);
        }
        assertThat(session.submit(SessionTest::seat).get(LONG))
                .isEqualTo(session.info().seat());
        session.close();
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
        assertThatThrownBy(() ->
                        ratchet.sessions().open(GPU.withCreationTimeout(SHORT).waitingForCapacity()))
                .isInstanceOf(SessionCreationTimeoutException.class);
        other.close();
    }
}
