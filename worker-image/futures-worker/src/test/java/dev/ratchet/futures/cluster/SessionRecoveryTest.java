/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.Session.CloseMode;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of sessions beyond one program and one process: they are handed over, go on after a restart, share slots
 * of a host, and end with their worker or their store. Numbers are those of the rules, as in {@link SessionTest}.
 */
class SessionRecoveryTest extends SessionFixture {

    @Test
    @DisplayName("T13: a session is taken over by another program, and nobody gets its slots in between")
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
        assertThatThrownBy(() -> first.submit(SessionFixture::seat).get(LONG))
                .isInstanceOf(SessionHandedOverException.class)
                .hasMessageContaining("was handed over to the session");
        assertThat(taking).as("code of the former still runs").isNotDone();
        latch("leave").countDown();
        Session taken = taking.get(30, TimeUnit.SECONDS);
        assertThat(running.get(LONG)).isEqualTo("done");
        assertThat(taken.info().seat()).isEqualTo(seat);
        assertThat(taken.info().slots()).isEqualTo(Map.of("gpu", List.of(0)));
        assertThat(taken.info().fences().get("gpu/0")).isEqualTo(before.get("gpu/0") + 1);
        assertThat(taken.submit(SessionFixture::seat).get(LONG)).isEqualTo(seat);
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
        CompletableFuture<Session> taking = takeOver(first);
        cluster.worker(first.info().seat()).kill();
        assertThat(taking)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SessionFailedException.class);
    }

    @Test
    @DisplayName("T11, T12: a session goes on where its worker takes the same seat in time, unless its code says no")
    void aSessionGoesOnWhereItsWorkerTakesTheSameSeatInTime() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG));
        SessionInfo before = session.info();
        assertThat(before.bindings()).isEqualTo(1);
        cluster.worker(before.seat()).kill();
        await("the session is suspended")
                .atMost(LONG)
                .until(() -> session.info().state() == SessionState.SUSPENDED);
        DurableFuture<String> meanwhile = session.submit(SessionFixture::seat);
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
    @DisplayName(
            "T12: the user's check runs before any future once the seat is taken again, also after a further crash")
    void theCheckRunsBeforeAnyFutureWhenTheSeatIsTakenAgain() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG, () -> {
            if (latch("entered").getCount() > 0) {
                latch("entered").countDown();
                pass("leave"); // The worker is killed here.
            }
            return latch("left").getCount() == 0
                    && TaskContext.current().session().orElseThrow().bindings() == 3;
        }));
        String seat = session.info().seat();
        int ordinal = Integer.parseInt(seat.substring("orders-w-".length()));
        cluster.worker(seat).kill();
        DurableFuture<String> meanwhile =
                session.submit(() -> seat() + " after " + latch("left").getCount());
        TestWorker second = cluster.start(ordinal, 2);
        pass("entered");
        assertThat(session.info().bindings()).isEqualTo(2);
        second.kill();
        latch("left").countDown();
        cluster.start(ordinal, 2);
        assertThat(meanwhile.get(LONG)).as("it has waited for the check").isEqualTo(seat + " after 0");
        assertThat(session.info().bindings()).isEqualTo(3);
        session.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("T12: a check that says no, or throws, ends the session before any of its futures has run")
    void aCheckThatSaysNoEndsTheSession(boolean throwing) throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG, () -> {
            if (throwing) {
                throw new IllegalStateException("the disk is empty");
            }
            return false;
        }));
        String seat = session.info().seat();
        cluster.worker(seat).kill();
        DurableFuture<String> never = session.submit(SessionFixture::enter);
        cluster.start(Integer.parseInt(seat.substring("orders-w-".length())), 2);
        assertThatThrownBy(() -> never.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.STATE_LOST))
                .hasMessageContaining(throwing ? "the disk is empty" : "what it had on its worker is gone");
        assertThat(latch("entered").getCount()).as("its future has not run").isEqualTo(1);
        assertThatThrownBy(() -> GPU.withReestablishment(Duration.ZERO, () -> true))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aSessionThatExpiresWhileItWaitsForItsWorkerSaysSo() throws Exception {
        Session session =
                ratchet.sessions().open(GPU.withReestablishment(LONG).withExecutionTimeout(Duration.ofSeconds(1)));
        cluster.worker(session.info().seat()).kill();
        DurableFuture<String> never = session.submit(SessionFixture::seat);
        assertThatThrownBy(() -> never.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.EXPIRED));
    }

    @Test
    void whoTakesOverASessionWhoseWorkerIsDrainedIsToldSo() throws Exception {
        Session first = ratchet.sessions().open(GPU);
        var unused = first.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "not in time";
        });
        pass("entered");
        CompletableFuture<Session> taking = takeOver(first);
        String seat = first.info().seat();
        CompletableFuture<Boolean> left = CompletableFuture.supplyAsync(() -> {
            try {
                return cluster.worker(seat).leave(30_000);
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
        await("the worker drains").atMost(LONG).until(() -> cluster.isDraining(seat));
        latch("leave").countDown();
        assertThat(taking)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.DRAINED))
                .withMessageContaining("was drained");
        assertThat(left).succeedsWithin(LONG).isEqualTo(true);
    }

    private CompletableFuture<Session> takeOver(Session former) {
        CompletableFuture<Session> taking = CompletableFuture.supplyAsync(() -> {
            try {
                return ratchet.sessions().handOver(former.ref(Access.OWN), CloseMode.DRAIN, OPTIONS);
            } catch (InterruptedException unschedulable) {
                throw new IllegalStateException(unschedulable);
            }
        });
        await("the former is told").atMost(LONG).until(() -> former.info().state() == SessionState.CLOSING);
        return taking;
    }

    @Test
    void aSessionOfASeatThatIsReplacedInPlaceGoesOnWithTheNextProcessAndHoldsNothingUp() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG));
        TestWorker former = cluster.worker(session.info().seat());
        cluster.park(former, LONG.toMillis());
        assertThat(session.info().state()).isEqualTo(SessionState.OPEN);
        former.leave(LONG.toMillis());
        await("the session is suspended")
                .atMost(LONG)
                .until(() -> session.info().state() == SessionState.SUSPENDED);
        DurableFuture<String> meanwhile = session.submit(SessionFixture::seat);
        String seat = former.membership().seat().name();
        cluster.start(Integer.parseInt(seat.substring("orders-w-".length())), 2);
        assertThat(meanwhile.get(LONG)).isEqualTo(seat);
        assertThat(session.info().bindings()).isEqualTo(2);
    }

    @Test
    void aSessionThatIsNotBoundAgainHasTheTimeOfADrainToEndBeforeItsSeatIsReplacedInPlace() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        TestWorker former = cluster.worker(session.info().seat());
        long began = System.nanoTime();
        cluster.park(former, 2_000);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1_800));
        assertThat(session.info().failureReason()).contains(SessionFailureReason.DRAINED);
    }

    @Test
    @DisplayName("T11: a session whose seat is not taken in time fails")
    void aSessionWhoseSeatIsNotTakenInTimeFails() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(SHORT));
        cluster.worker(session.info().seat()).kill();
        DurableFuture<String> never = session.submit(SessionFixture::seat);
        assertThatThrownBy(() -> never.get(LONG))
                .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(SessionFailureReason.WORKER_LOST))
                .hasMessageContaining("its seat was not taken again within 200 ms");
    }

    @Test
    void theWorkersOfAHostShareItsSlotsAlsoWhenTheHolderIsLost() throws Exception {
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).slots().change(Map.of(), Map.of("port", 1), 2);
        }
        SessionOptions port = SessionOptions.ofSlot("port").waitingForCapacity();
        Session session = ratchet.sessions().open(port);
        assertThatThrownBy(() -> ratchet.sessions().open(port.withCreationTimeout(SHORT)))
                .isInstanceOf(SessionCreationTimeoutException.class);
        long fence = session.info().fences().get("port/0");
        String seat = session.info().seat();
        cluster.worker(seat).kill();
        try (Session next = ratchet.sessions().open(port)) {
            assertThat(next.info().seat()).isNotEqualTo(seat);
            assertThat(next.info().fences().get("port/0")).isEqualTo(fence + 1);
        }
        assertThat(session.info().failureReason()).contains(SessionFailureReason.WORKER_LOST);
    }

    @Test
    void aStoreThatIsRestoredEndsTheSessionsThatItHas() throws Exception {
        Session session = ratchet.sessions().open(GPU.withReestablishment(LONG).withDetachment());
        SessionRef reference = session.ref(Access.USE);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.worker("orders-w-" + ordinal).kill();
        }
        cluster.restore(7);
        cluster.start(0, 2);
        cluster.start(1, 2);
        Ratchet later = cluster.connect();
        await("the session has failed")
                .atMost(LONG)
                .until(() -> later.sessions().attach(reference).info().state() == SessionState.FAILED);
        SessionInfo info = later.sessions().attach(reference).info();
        assertThat(info.failureReason()).contains(SessionFailureReason.STORE_RESTORED);
        assertThat(info.message()).contains("restored from a backup");
    }

    @Test
    @DisplayName("T16: while its worker drains, a session finishes, and new ones go elsewhere")
    void aWorkerThatDrainsLetsItsSessionFinishAndGrantsNoMore() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        Session other = ratchet.sessions().open(GPU);
        DurableFuture<String> running = session.submit(() -> {
            latch("entered").countDown();
            pass("leave");
            return "done";
        });
        pass("entered");
        String seat = session.info().seat();
        CompletableFuture<Boolean> left = CompletableFuture.supplyAsync(() -> {
            try {
                return cluster.worker(seat).leave(30_000);
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
        await("the worker drains").atMost(LONG).until(() -> cluster.isDraining(seat));
        other.close();
        try (Session next = ratchet.sessions().open(GPU)) {
            assertThat(next.info().seat()).isNotEqualTo(session.info().seat());
        }
        latch("leave").countDown();
        assertThat(running.get(LONG)).isEqualTo("done");
        assertThat(session.submit(SessionFixture::seat).get(LONG)).isEqualTo(seat);
        DurableFuture<String> last = session.submit(SessionFixture::seat);
        session.close();
        assertThat(last.get(LONG)).isEqualTo(seat);
        assertThat(left).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    @DisplayName("T20: a session of many futures fails in one transaction, and they all say why")
    void aSessionOfManyFuturesFailsAtOnce() throws Exception {
        Session session = ratchet.sessions().open(GPU);
        List<DurableFuture<String>> many = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            many.add(session.submit(() -> {
                latch("entered").countDown();
                pass("leave");
                return "never recorded";
            }));
        }
        pass("entered");
        cluster.worker(session.info().seat()).kill();
        await("the session has failed").atMost(LONG).until(() -> session.info().state() == SessionState.FAILED);
        for (DurableFuture<String> future : many) {
            assertThatThrownBy(() -> future.get(LONG))
                    .isInstanceOfSatisfying(SessionFailedException.class, failed -> assertThat(failed.reason())
                            .isEqualTo(SessionFailureReason.WORKER_LOST));
        }
    }
}
