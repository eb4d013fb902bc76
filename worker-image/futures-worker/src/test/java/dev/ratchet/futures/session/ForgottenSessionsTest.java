/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.worker.ShiftedEnvironment;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which sessions that were over long ago a worker forgets. */
class ForgottenSessionsTest {

    private static final String SEAT = "w-0";
    private static final UUID CODE = new UUID(0, 7);

    /** More than one page of those that are kept. */
    private static final int KEPT = 250;

    private static final Clients NOBODY = (transaction, id) -> CompletableFuture.completedFuture(Optional.empty());

    private final SystemEnvironment real = new SystemEnvironment();
    private final ShiftedEnvironment environment = new ShiftedEnvironment(real);
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final FutureStore store =
            new FutureStore(StoreUnderTest.open(environment), new FutureKeys(keyspace), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(keyspace),
            new OpenSeat(SEAT),
            NOBODY,
            new SlotCapacity(Map.of("gpu", KEPT), Map.of(), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));
    private final SessionRequests requests = new SessionRequests(
            store,
            ToldLiveness.allDead(),
            NOBODY,
            (seat, address) -> {
                throw new AssertionError("asks " + seat);
            },
            holder,
            SEAT);

    @AfterEach
    void close() {
        real.close();
    }

    @Test
    void whatStillHasSlotsIsKeptAndWhatIsBehindItIsForgotten() {
        List<UUID> holding = new ArrayList<>();
        for (int number = 0; number < KEPT; number++) {
            holding.add(over(number));
        }
        UUID behind = over(-1);

        tidyLater();

        assertThat(holding).allMatch(this::isKnown);
        assertThat(behind).matches(id -> !isKnown(id), "is forgotten");
        assertThat(close(holding.getFirst(), true))
                .map(SessionRecord::getSlotsCount)
                .contains(1);
    }

    @Test
    void whatHasFuturesWhoseCodeMayRunIsKeptUntilTheyAreDone() {
        UUID session = over(-1);
        write(session, true);
        tidyLater();
        assertThat(isKnown(session)).isTrue();

        write(session, false);
        tidyLater();
        assertThat(isKnown(session)).isFalse();
    }

    /** A session that fails now, which still has a slot unless that is negative. */
    private UUID over(int slot) {
        UUID id = new UUID(1, slot < 0 ? KEPT : slot);
        SessionRecord.Builder record = SessionRecord.newBuilder()
                .setState(SessionState.SESSION_STATE_FAILED)
                .setSeat(SEAT)
                .setIncarnation(1)
                .setEndedWallMillis(environment.wallClockMillis() + (slot < 0 ? KEPT : 0));
        if (slot >= 0) {
            record.addSlots(
                    HeldSlot.newBuilder().setResource("gpu").setNumber(slot).setToken(1));
        }
        store.runPlain(transaction -> {
                    keys.setOver(transaction, id, record.build());
                    return CompletableFuture.completedFuture(id);
                })
                .join();
        return id;
    }

    private void write(UUID session, boolean runs) {
        store.runPlain(transaction -> {
                    byte[] key = keys.futures.key(session, CODE);
                    if (runs) {
                        transaction.set(key, FutureKeys.PRESENT);
                    } else {
                        transaction.clear(key);
                    }
                    return CompletableFuture.completedFuture(key);
                })
                .join();
    }

    private Optional<SessionRecord> close(UUID session, boolean cancel) {
        return requests.close(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(session))
                        .setCancel(cancel)
                        .build())
                .join();
    }

    private void tidyLater() {
        environment.pass(SessionRequests.RETENTION_MILLIS + 1_000);
        close(new UUID(2, 2), false);
        requests.tidy().join();
    }

    private boolean isKnown(UUID id) {
        return requests.describe(id).join().isPresent();
    }
}
