/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.StateCheck;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a session whose check can not be run after a restart of its worker. */
class CheckTriesTest {

    private static final String SEAT = "w-0";
    private static final UUID SESSION = new UUID(1, 1);
    private static final HeldSlot SLOT =
            HeldSlot.newBuilder().setResource("gpu").build();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SystemEnvironment real = new SystemEnvironment();
    private final Hurried environment = new Hurried(real);
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final FutureStore store = new FutureStore(StoreUnderTest.open(real), new FutureKeys(keyspace), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final AtomicInteger failuresLeft = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(keyspace),
            seat,
            (transaction, id) -> CompletableFuture.completedFuture(Optional.empty()),
            new SlotCapacity(Map.of("gpu", 1), Map.of(), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            this::check);

    /** Timers run early. */
    private record Hurried(Environment real) implements ForwardingEnvironment {
        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            return real.schedule(Math.min(5, delayMillis), task);
        }
    }

    @AfterEach
    void close() {
        holder.end();
        real.close();
    }

    private CompletableFuture<Optional<String>> check(UUID id, SessionRecord session) {
        runs.incrementAndGet();
        return failuresLeft.getAndDecrement() > 0
                ? CompletableFuture.failedFuture(new FDBException("planted: the code can not be read", 1031))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Test
    void aSessionGoesOnOnceItsCheckHasBeenRunAfterAll() {
        failuresLeft.set(2);
        suspend();

        holder.start();

        SessionRecord session = await("its check is through", found -> !found.getChecking());
        assertThat(session.getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
        assertThat(runs).hasValue(3);
    }

    @Test
    void aSessionWhoseCheckCanNotBeRunAtAllFailsAndSaysWhy() {
        failuresLeft.set(Integer.MAX_VALUE);
        suspend();

        holder.start();

        SessionRecord session = await("it has failed", found -> found.getState() == SessionState.SESSION_STATE_FAILED);
        assertThat(session.getReason()).isEqualTo(SessionFailureReason.SESSION_FAILURE_REASON_STATE_LOST);
        assertThat(session.getMessage()).contains("in 7 tries", "planted: the code can not be read");
        assertThat(runs).hasValue(7);
    }

    /** A session of the process before, which waits for the seat and has a check. */
    private void suspend() {
        SessionRecord.Builder session = SuspendedSession.record(store, seat, SLOT);
        SuspendedSession.write(
                store,
                seat,
                SESSION,
                session.setCheck(StateCheck.getDefaultInstance()).build());
    }

    private SessionRecord await(String what, Predicate<SessionRecord> reached) {
        return Awaitility.await(what)
                .atMost(LIMIT)
                .until(
                        () -> store.read(transaction -> keys.record(transaction, SESSION))
                                .join()
                                .orElseThrow(),
                        found -> found.getState() != SessionState.SESSION_STATE_SUSPENDED && reached.test(found));
    }
}
