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
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of sessions of clients whose leases are over, where the worker that ended those died just then. */
class OwnerlessSessionsTest {

    private static final String SEAT = "w-0";
    private static final UUID FIRST_GONE = new UUID(2, 1);
    private static final UUID PRESENT = new UUID(2, 2);
    private static final UUID LAST_GONE = new UUID(2, 3);
    private static final Clients ONE = (transaction, id) -> CompletableFuture.completedFuture(
            Optional.of(new Clients.Client(id, SEAT, 1, "program")).filter(unused -> id.equals(PRESENT)));

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final FutureStore store =
            new FutureStore(StoreUnderTest.open(environment), new FutureKeys(keyspace), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final SessionRequests requests = new SessionRequests(
            store,
            ToldLiveness.allDead(),
            ONE,
            (other, address) -> {
                throw new AssertionError("asks " + other);
            },
            new SessionHolder(
                    store,
                    new StoredMembers(keyspace),
                    seat,
                    ONE,
                    new SlotCapacity(Map.of("gpu", 3), 1),
                    (id, session) -> CompletableFuture.completedFuture(null),
                    (id, session) -> CompletableFuture.completedFuture(Optional.empty())),
            SEAT);

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void thoseOfClientsThatAreGoneFailAndThoseOfOthersStayOpen() {
        UUID first = open(0, FIRST_GONE);
        UUID present = open(1, PRESENT);
        UUID last = open(2, LAST_GONE);

        requests.releaseForgotten().join();

        for (UUID gone : new UUID[] {first, last}) {
            assertThat(session(gone).getState()).isEqualTo(SessionState.SESSION_STATE_FAILED);
            assertThat(session(gone).getReason()).isEqualTo(SessionFailureReason.SESSION_FAILURE_REASON_OWNER_LOST);
        }
        assertThat(session(present).getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
    }

    private SessionRecord session(UUID id) {
        return requests.describe(id).join().orElseThrow();
    }

    /** A session that is open, as its client has left it. */
    private UUID open(int number, UUID client) {
        UUID id = new UUID(1, number);
        HeldSlot slot = HeldSlot.newBuilder()
                .setResource("gpu")
                .setNumber(number)
                .setToken(1)
                .build();
        SuspendedSession.write(
                store,
                seat,
                id,
                SuspendedSession.record(store, seat, slot)
                        .setState(SessionState.SESSION_STATE_OPEN)
                        .setIncarnation(seat.incarnation())
                        .setOwner(SessionIds.bytes(client))
                        .build());
        store.runPlain(transaction -> {
                    keys.owned.set(transaction, FutureKeys.PRESENT, client, id);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
        return id;
    }
}
