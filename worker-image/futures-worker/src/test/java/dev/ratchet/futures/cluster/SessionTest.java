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
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.release.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a program sees of sessions; the numbers are those of the rules T1 to T22, of which T9 and T10 are told by the
 * simulation, since they need workers that are paused and commits whose outcome is unknown. On two workers that have
 * {gpu=1, disk=2} and two unnamed sessions each.
 */
class SessionTest extends SessionFixture {

    @Test
    @DisplayName("T2, T19: all futures of a session run on the worker that holds it, and know it")
    void allFuturesOfASessionRunOnTheWorkerThatHoldsIt() throws Exception {
        try (Session session = ratchet.sessions().open(GPU)) {
            assertThat(session.info().slots()).isEqualTo(Map.of("gpu", List.of(0)));
            assertThat(session.info().fences().get("gpu/0")).isPositive();
            Set<String> seats = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                seats.add(session.submit(SessionFixture::seat).get(LONG));
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
    @DisplayName("T1, T3: slots are exclusive, and served in the order of asking")
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
        TestWorker holder = cluster.worker(one.info().seat());
        await("its worker knows what the store says").atMost(LONG).untilAsserted(() -> assertThat(
                        holder.engine().freeResources())
                .containsEntry("slots/gpu", 1L)
                .containsEntry("slots-free/gpu", 0L));
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

    @Test
    @DisplayName("T14: several resources are granted together or not at all")
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
    @DisplayName("T6, T7, T8: a failing future leaves the session open, it is closed once, and takes none then")
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
        assertThatThrownBy(() -> session.submit(SessionFixture::seat)).isInstanceOf(SessionClosedException.class);
        assertThatThrownBy(() -> ratchet.sessions()
                        .attach(reference)
                        .submit(SessionFixture::seat)
                        .get(LONG))
                .isInstanceOf(SessionClosedException.class);
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
    }

    @Test
    @DisplayName("T21: a slot is free only once the code of its session has ended")
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
            queued.add(session.submit(SessionFixture::seat));
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
    void aSessionThatItsProgramHasClosedGoesOnWithWhatItHasWhenTheProgramIsGone() throws Exception {
        Ratchet program = cluster.connect();
        Session session = program.sessions().open(GPU);
        DurableFuture<String> running = session.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "done";
        });
        pass("entered");
        SessionRef reference = session.ref(Access.USE);
        session.close();
        program.close();
        await("the end of the program is acted upon").atMost(SOON).until(() -> !cluster.hasOwnedSessions());
        latch("leave").countDown();
        assertThat(ratchet.<String>future(running.id()).get(LONG)).isEqualTo("done");
        await("the session is closed")
                .atMost(LONG)
                .until(() -> ratchet.sessions().attach(reference).info().state() == SessionState.CLOSED);
    }

    @Test
    @DisplayName("T5: a session fails with its worker, and is run again on another")
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
                assertThatThrownBy(() -> running.get(AFTER_A_LEASE))
                        .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                                .isEqualTo(SessionFailureReason.WORKER_LOST));
                assertThat(session.info().failureReason()).contains(SessionFailureReason.WORKER_LOST);
                return session.submit(SessionFixture::seat).get(LONG);
            }
            return session.submit(SessionFixture::seat).get(LONG);
        });
        assertThat(sessions).hasValue(2);
        assertThat(seat).isNotEmpty();
    }

    @Test
    @DisplayName("T18: an execution timeout fails the session, and is told apart")
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
    @DisplayName("T15, T22: others use a session by its reference, and close it only by that of its owner")
    void othersUseASessionByItsReferenceAndCloseItOnlyByThatOfItsOwner() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        SessionRef use = SessionRef.parse(session.ref(Access.USE).text());
        SessionRef own = session.ref(Access.OWN);
        String seat = ratchet.<String>submit(() -> {
                    try (Session attached = Ratchet.current().sessions().attach(use)) {
                        return attached.submit(SessionFixture::seat).get(LONG);
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
                        .submit(SessionFixture::seat)
                        .get(LONG))
                .isInstanceOf(SessionClosedException.class)
                .hasMessageContaining("not the right one");

        ratchet.sessions().attach(own).close(CloseMode.CANCEL);
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
    }

    @Test
    void aSessionMayRequireTheReleaseOfItsWorker() throws Exception {
        try (Session session = ratchet.sessions().open(GPU.withVersion(Release.VERSION))) {
            assertThat(session.info().state()).isEqualTo(SessionState.OPEN);
        }
        assertThatThrownBy(() -> ratchet.sessions().open(GPU.withVersion("9.9.9")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("{gpu=1} on the release 9.9.9");
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
    @DisplayName("T17: a session ends with the program that has opened it, unless it is detached")
    void aSessionEndsWithTheProgramThatHasOpenedItUnlessItIsDetached() throws Exception {
        Ratchet other = cluster.connect();
        Session owned = other.sessions().open(GPU);
        Session detached = other.sessions().open(GPU.withDetachment());
        SessionRef ofOwned = owned.ref(Access.USE);
        SessionRef ofDetached = detached.ref(Access.OWN);
        other.close();
        await("the session of the program has failed")
                .atMost(SOON)
                .until(() -> ratchet.sessions().attach(ofOwned).info().state() == SessionState.FAILED);
        SessionInfo failed = ratchet.sessions().attach(ofOwned).info();
        assertThat(failed.failureReason()).contains(SessionFailureReason.OWNER_LOST);
        assertThat(failed.message()).contains("the program that opened it");
        assertThatThrownBy(() -> ratchet.sessions()
                        .attach(ofOwned)
                        .submit(SessionFixture::seat)
                        .get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failure -> assertThat(failure.reason())
                        .isEqualTo(SessionFailureReason.OWNER_LOST));
        try (Session next = ratchet.sessions().open(GPU)) {
            assertThat(next.info().seat()).as("its slot is free").isEqualTo(failed.seat());
        }
        Session stillOpen = ratchet.sessions().attach(ofDetached);
        assertThat(stillOpen.info().state()).isEqualTo(SessionState.OPEN);
        stillOpen.close();
    }

    @Test
    void aWorkerWithFewerSlotsKeepsItsSessionsAndGrantsNoMore() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        Session other = ratchet.sessions().open(GPU);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).slots().change(Map.of("gpu", 0), Map.of(), 2);
        }
        assertThat(session.submit(SessionFixture::seat).get(LONG))
                .isEqualTo(session.info().seat());
        session.close();
        await("the session is closed").atMost(LONG).until(() -> session.info().state() == SessionState.CLOSED);
        assertThatThrownBy(() ->
                        ratchet.sessions().open(GPU.withCreationTimeout(SHORT).waitingForCapacity()))
                .isInstanceOf(SessionCreationTimeoutException.class);
        other.close();
    }

    @Test
    @DisplayName("T4: slots that become free while a session times out are granted or not, and none is lost")
    void aGrantAndACreationTimeoutAreOneOrTheOther() throws Exception {
        Session other = ratchet.sessions().open(GPU);
        int opened = 0;
        for (int round = 1; round <= 40; round++) {
            Session holder = ratchet.sessions().open(GPU);
            CompletableFuture<Void> closed = CompletableFuture.runAsync(holder::close);
            try (Session next = ratchet.sessions().open(GPU.withCreationTimeout(Duration.ofMillis(1 + round % 8)))) {
                assertThat(next.info().seat()).isEqualTo(holder.info().seat());
                opened++;
            } catch (SessionCreationTimeoutException late) {
                // The other outcome.
            }
            closed.get(30, TimeUnit.SECONDS);
        }
        other.close();
        try (Session one = ratchet.sessions().open(GPU);
                Session two = ratchet.sessions().open(GPU)) {
            assertThat(one.info().seat())
                    .as("after %d grants", opened)
                    .isNotEqualTo(two.info().seat());
        }
    }
}
