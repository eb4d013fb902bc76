/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a session that waits for a seat whose next process has read it and does not bind it. */
class UnboundSessionsTest {

    private static final String SEAT = "w-0";
    private static final UUID SUSPENDED = new UUID(1, 1);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Clients NOBODY = (transaction, id) -> CompletableFuture.completedFuture(Optional.empty());

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final FutureStore store =
            new FutureStore(StoreUnderTest.open(environment), new FutureKeys(keyspace), environment);
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(keyspace),
            seat,
            NOBODY,
            new SlotCapacity(Map.of("gpu", 1), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));
    private final SessionRequests requests = new SessionRequests(
            store,
            ToldLiveness.allDead(),
            NOBODY,
            (other, address) -> {
                throw new AssertionError("asks " + other);
            },
            holder,
            SEAT);

    @AfterEach
    void close() {
        holder.end();
        environment.close();
    }

    @Test
    void oneThatIsClosedThenIsHeldNoMoreAndTheWorkerMayLeave() {
        HeldSlot slot = HeldSlot.newBuilder().setResource("gpu").setToken(1).build();
        SuspendedSession.write(
                store,
                seat,
                SUSPENDED,
                SuspendedSession.record(store, seat, slot).build());
        holder.close(false).join();
        holder.start();
        Awaitility.await("the session is read").atMost(LIMIT).until(() -> holder.size() == 1);
        CompletableFuture<Void> left = holder.close(false);
        assertThat(left).isNotDone();

        SessionRecord closed = requests.close(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(SUSPENDED))
                        .build())
                .join()
                .orElseThrow();

        assertThat(closed.getState()).isEqualTo(SessionState.SESSION_STATE_CLOSED);
        assertThat(left).succeedsWithin(LIMIT);
        assertThat(holder.size()).isZero();
    }
}
