/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker with more sessions in the queue than it looks at in one transaction, most of which nobody can serve. */
class WaitingSessionsTest {

    private static final int STUCK = 2 * SessionGrants.WAITING_MAX + SessionGrants.WAITING_MAX / 2;
    private static final int SERVED = 50;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final FutureStore store = new FutureStore(
            StoreUnderTest.open(environment), new FutureKeys(new Keyspace("test/sessions")), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(store.keys().keyspace()),
            new OpenSeat("w-0"),
            (transaction, id) -> CompletableFuture.completedFuture(Optional.empty()),
            new SlotCapacity(Map.of("gpu", 1), Map.of(), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));

    @BeforeEach
    void start() {
        holder.start();
    }

    @AfterEach
    void close() {
        holder.end();
        environment.close();
    }

    @Test
    void oneThatCanBeServedIsOpenedBehindAllThatCanNot() {
        ask(IntStream.range(0, STUCK)
                .mapToObj(number -> opening("fpga", number))
                .toList());

        ask(List.of(opening("gpu", STUCK)));

        await("the session behind them", () -> state(STUCK) == SessionState.SESSION_STATE_OPEN);
        await("all that wait to be counted", () -> holder.waiting().equals(Map.of("fpga", STUCK)));
    }

    @Test
    void thoseThatCanBeServedAreOpenedInTheOrderInWhichTheyCame() {
        List<Integer> served = new ArrayList<>();
        List<SlotsRequest> requests = new ArrayList<>();
        for (int number = 0; number < STUCK; number++) {
            boolean isServed = number % (STUCK / SERVED) == 0;
            if (isServed) {
                served.add(number);
            }
            requests.add(opening(isServed ? "gpu" : "fpga", number));
        }
        ask(requests);

        List<Long> tokens = new ArrayList<>();
        for (int number : served) {
            await("session " + number, () -> state(number) == SessionState.SESSION_STATE_OPEN);
            tokens.add(record(number).getSlots(0).getToken());
            holder.poke();
            // Its slot becomes free in any round of the pass that has just begun.
            holder.ask(List.of(closing(number)));
        }

        assertThat(tokens)
                .as("tokens of the one slot, in the order of the queue")
                .isSorted();
    }

    private static void await(String what, Callable<Boolean> until) {
        Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(1)).until(until);
    }

    /** As many at once as one round takes. */
    private void ask(List<SlotsRequest> requests) {
        for (int from = 0; from < requests.size(); from += AskedSlots.ROUND_MAX) {
            List<SlotsRequest> some = requests.subList(from, Math.min(requests.size(), from + AskedSlots.ROUND_MAX));
            SessionGrants.together(holder.ask(some)).join();
        }
    }

    private SessionState state(int number) {
        return record(number).getState();
    }

    private SessionRecord record(int number) {
        return store.read(transaction -> keys.record(transaction, new UUID(1, number)))
                .join()
                .orElseThrow();
    }

    private static SlotsRequest opening(String resource, int number) {
        ByteString id = SessionIds.bytes(new UUID(1, number));
        return SlotsRequest.newBuilder()
                .setOpen(OpenSessionRequest.newBuilder()
                        .setId(id)
                        .setDemand(SlotDemand.newBuilder().putSlots(resource, 1))
                        .setCreationTimeoutMillis(600_000)
                        .setOwnerSecret(id)
                        .setUserSecret(id))
                .build();
    }

    private static SlotsRequest closing(int number) {
        ByteString id = SessionIds.bytes(new UUID(1, number));
        return SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder().setId(id).setOwnerSecret(id))
                .build();
    }
}
