/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.Session;
import dev.ratchet.client.Session.CloseMode;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.TaskContext;
import dev.ratchet.futures.queue.Capacity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of sessions that tasks have opened when the attempts that did so are over. */
class SessionOwnerTest extends SessionFixture {

    @Test
    @DisplayName("T17: a session ends with the task that has opened it, and its slot is free")
    void aSessionEndsWithTheTaskThatHasOpenedIt() throws Exception {
        String text = ratchet.<String>submit(() -> opened(GPU)).get(LONG);
        assertOwnerIsLost(SessionRef.parse(text), SOON);
    }

    @Test
    void aDetachedSessionStaysOpenWhenItsTaskIsOver() throws Exception {
        String detached =
                ratchet.<String>submit(() -> opened(GPU.withDetachment())).get(LONG);
        String owned = ratchet.<String>submit(() -> opened(GPU)).get(LONG);
        assertOwnerIsLost(SessionRef.parse(owned), SOON);
        assertThat(info(SessionRef.parse(detached)).state())
                .as("of one that was opened before the other")
                .isEqualTo(SessionState.OPEN);
    }

    @Test
    @DisplayName("T17: a session ends with a task that is cancelled")
    void aSessionEndsWithATaskThatIsCancelled() throws Exception {
        DurableFuture<String> task = ratchet.submit(SessionOwnerTest::openedAndHeld);
        pass("entered");
        assertThat(task.cancel()).isTrue();
        assertOwnerIsLost(SessionRef.parse(System.getProperty("test.session")), SOON);
    }

    @Test
    @DisplayName("T17: a session ends with a task whose worker dies, once that is taken over")
    void aSessionEndsWithATaskWhoseWorkerDies() throws Exception {
        TestWorker outside = cluster.start(2, new Capacity(1_000, 0, 0, Map.of("outside", 1L)), 64 << 20);
        outside.slots().change(Map.of(), Map.of(), 0);
        var unused = ratchet.submit(
                ratchet.defaultOptions()
                        .withRequirements(Requirements.defaults().withCustom("outside", 1)),
                SessionOwnerTest::openedAndHeld);
        pass("entered");
        SessionRef session = SessionRef.parse(System.getProperty("test.session"));
        assertThat(info(session).seat()).isNotEqualTo("orders-w-2");
        outside.kill();
        assertOwnerIsLost(session, AFTER_A_LEASE);
    }

    @Test
    void theNextAttemptAtATaskGetsTheSlotsThatTheFormerOneHasNotClosed() throws Exception {
        DurableFuture<Boolean> task = ratchet.submit(ratchet.defaultOptions().withMaxRetries(1), () -> {
            opened(GPU.withCreationTimeout(AFTER_A_LEASE));
            opened(GPU.withCreationTimeout(AFTER_A_LEASE));
            if (TaskContext.current().attempt() == 1) {
                throw new IllegalStateException("on purpose, with all slots");
            }
            return true;
        });
        assertThat(task.get(LONG)).isTrue();
    }

    @Test
    void aSessionEndsWithATaskThatIsForgotten() throws Exception {
        DurableFuture<String> task = ratchet.submit(() -> opened(GPU));
        SessionRef session = SessionRef.parse(task.get(LONG));
        assertThat(ratchet.deleteAll(List.of(task))).isEqualTo(1);
        assertOwnerIsLost(session, AFTER_A_LEASE);
    }

    @Test
    void aSessionThatItsTaskHasClosedGoesOnWithWhatItHas() throws Exception {
        String child = ratchet.<String>submit(() -> {
                    try (Session session = Ratchet.current().sessions().open(GPU)) {
                        var unused = session.submit(() -> {
                            latch("entered").countDown();
                            pass("leave");
                            latch("left").countDown();
                            return "done";
                        });
                        pass("entered");
                        return session.ref(Access.USE).text();
                    }
                })
                .get(LONG);
        String former = ratchet.<String>submit(() -> opened(GPU)).get(LONG);
        assertOwnerIsLost(SessionRef.parse(former), SOON);
        assertThat(info(SessionRef.parse(child)).state())
                .as("of one whose task was over before")
                .isEqualTo(SessionState.CLOSING);
        latch("leave").countDown();
        pass("left");
        await("the session is closed")
                .atMost(SOON)
                .until(() -> info(SessionRef.parse(child)).state() == SessionState.CLOSED);
    }

    @Test
    void aSessionThatWasHandedOverEndsWithItsNewOwner() throws Exception {
        DurableFuture<String> task = ratchet.submit(SessionOwnerTest::openedAndHeld);
        pass("entered");
        SessionRef session = SessionRef.parse(System.getProperty("test.session"));
        Session taken = ratchet.sessions().handOver(session, CloseMode.DRAIN, OPTIONS);
        assertThat(task.cancel()).isTrue();
        String other = ratchet.<String>submit(() -> opened(GPU)).get(LONG);
        assertOwnerIsLost(SessionRef.parse(other), SOON);
        assertThat(taken.info().state()).isEqualTo(SessionState.OPEN);
        taken.close();
    }

    /** Opens a session and leaves it open. */
    private static String opened(SessionOptions options) throws InterruptedException {
        return Ratchet.current().sessions().open(options).ref(Access.OWN).text();
    }

    /** As {@link #opened}, and tells the test of it before it goes on. */
    private static String openedAndHeld() throws InterruptedException {
        System.setProperty("test.session", opened(GPU));
        latch("entered").countDown();
        pass("leave");
        return "never recorded";
    }

    private SessionInfo info(SessionRef session) {
        return ratchet.sessions().attach(session).info();
    }

    private void assertOwnerIsLost(SessionRef session, Duration limit) {
        await("the session of the attempt has failed and has no slots")
                .atMost(limit)
                .until(() -> info(session).state() == SessionState.FAILED
                        && info(session).slots().isEmpty());
        assertThat(info(session).failureReason()).contains(SessionFailureReason.OWNER_LOST);
        assertThat(info(session).message()).contains("the attempt at the task").contains("that opened it is over");
    }
}
