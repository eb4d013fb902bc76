/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.worker.ProxiedDatabase;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker with more sessions that wait for their futures than it looks at in one transaction. */
class EndingSessionsTest {

    private static final String SEAT = "w-0";
    private static final int WAITING = 450;
    private static final UUID LAST = new UUID(1, WAITING);
    private static final Clients NOBODY = (transaction, id) -> CompletableFuture.completedFuture(Optional.empty());

    private final SystemEnvironment environment = new SystemEnvironment();
    private final AtomicInteger transactions = new AtomicInteger();
    private final FutureStore store = new FutureStore(
            counted(StoreUnderTest.open(environment)), new FutureKeys(new Keyspace("test/sessions")), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(store.keys().keyspace()),
            seat,
            NOBODY,
            new SlotCapacity(Map.of("gpu", WAITING + 1), Map.of(), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));

    @AfterEach
    void close() {
        holder.end();
        environment.close();
    }

    @Test
    void oneThatHasNothingToWaitForEndsBehindThemAndTheWorkerRestsThen() {
        for (int number = 0; number <= WAITING; number++) {
            UUID id = new UUID(1, number);
            HeldSlot slot = HeldSlot.newBuilder()
                    .setResource("gpu")
                    .setNumber(number)
                    .setToken(1)
                    .build();
            SessionRecord open = SuspendedSession.record(store, seat, slot)
                    .setState(SessionState.SESSION_STATE_OPEN)
                    .setIncarnation(seat.incarnation())
                    .build();
            SuspendedSession.write(store, seat, id, open);
        }
        store.runPlain(transaction -> {
                    for (int number = 0; number < WAITING; number++) {
                        keys.futures.set(transaction, FutureKeys.PRESENT, new UUID(1, number), new UUID(2, number));
                    }
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
        holder.start();
        SessionRequests requests = new SessionRequests(
                store,
                ToldLiveness.allDead(),
                NOBODY,
                (other, address) -> {
                    throw new AssertionError("asks " + other);
                },
                holder,
                SEAT);
        for (int number = 0; number <= WAITING; number++) {
            requests.close(CloseSessionRequest.newBuilder()
                            .setId(SessionIds.bytes(new UUID(1, number)))
                            .build())
                    .join();
        }

        Awaitility.await("the last session to be closed")
                .atMost(Duration.ofSeconds(30))
                .until(() -> holder.size() == WAITING);
        assertThat(requests.describe(LAST).join().orElseThrow().getState())
                .isEqualTo(SessionState.SESSION_STATE_CLOSED);
        assertThat(transactionsOfASecond())
                .as("transactions of a second, in which the worker looks once at each of them")
                .isLessThan(20);
    }

    /** Of the least busy second of some: what was wanted before may still be under way in the first. */
    private int transactionsOfASecond() {
        List<Integer> seconds = new ArrayList<>();
        for (int second = 0; second < 3; second++) {
            int before = transactions.get();
            CompletableFuture<Void> over = new CompletableFuture<>();
            var unused = environment.schedule(1_000, () -> over.complete(null));
            over.join();
            seconds.add(transactions.get() - before);
        }
        return Collections.min(seconds);
    }

    private Database counted(Database real) {
        return ProxiedDatabase.running(real, handler -> {
            transactions.incrementAndGet();
            return real.runAsync(handler);
        });
    }
}
