/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.SlotFigures;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the next process of a seat makes of the sessions of the one before it. */
class FormerSessionsTest {

    private static final String SEAT = "w-0";
    private static final String HOST = "node-1";
    private static final UUID SUSPENDED = new UUID(1, 1);
    private static final UUID NEXT = new UUID(1, 2);
    private static final HeldSlot PORT =
            HeldSlot.newBuilder().setResource("port").setHost(HOST).build();
    private static final Clients NOBODY = (transaction, id) -> CompletableFuture.completedFuture(Optional.empty());

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final FutureStore store =
            new FutureStore(StoreUnderTest.open(environment), new FutureKeys(keyspace), environment);
    private final Members members = new StoredMembers(keyspace);
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final SessionHolder holder = new SessionHolder(
            store,
            members,
            seat,
            NOBODY,
            new SlotCapacity(Map.of(), Map.of("port", 1), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));

    @AfterEach
    void close() {
        holder.end();
        environment.close();
    }

    /** Of a session that waited for the seat its slot of the host stays taken when it is closed. */
    @BeforeEach
    void closeWhatWaitsForTheSeat() {
        SuspendedSession.write(
                store,
                seat,
                SUSPENDED,
                SuspendedSession.record(store, seat, PORT).build());
        SessionRequests elsewhere = new SessionRequests(
                store,
                ToldLiveness.allDead(),
                NOBODY,
                (other, address) -> {
                    throw new AssertionError("asks " + other);
                },
                holder,
                "w-1");
        SessionRecord closed = elsewhere
                .close(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(SUSPENDED))
                        .build())
                .join()
                .orElseThrow();
        assertThat(closed.getState()).isEqualTo(SessionState.SESSION_STATE_CLOSED);
        assertThat(closed.getSlotsList()).containsExactly(PORT);
        holder.start();
    }

    @Test
    void theNextProcessFreesTheSlotsOfWhatWasClosedWhileItWaitedForTheSeat() {
        assertThat(open()).isEqualTo(SessionState.SESSION_STATE_OPEN);
    }

    @Test
    void aSlotThatAnotherWorkerHasFreedIsNotCountedTwice() {
        open();
        new SessionLosses(
                        store,
                        members,
                        ToldLiveness.allDead(),
                        (id, session) -> CompletableFuture.completedFuture(null))
                .release(SEAT, seat.incarnation() - 1)
                .join();
        open(); // Another round, at the latest, has given it the slot.

        assertThat(holder.published()).containsEntry(SlotFigures.FREE + "port", 0L);
        assertThat(holder.size()).isEqualTo(1);
    }

    private SessionState open() {
        SlotsRequest opening = SlotsRequest.newBuilder()
                .setOpen(OpenSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(NEXT))
                        .setDemand(SlotDemand.newBuilder().putSlots("port", 1))
                        .setCreationTimeoutMillis(60_000)
                        .setOwnerSecret(SessionIds.bytes(NEXT))
                        .setUserSecret(SessionIds.bytes(NEXT)))
                .build();
        return SessionGrants.together(holder.ask(List.of(opening)))
                .join()
                .getFirst()
                .getSession()
                .getState();
    }
}
