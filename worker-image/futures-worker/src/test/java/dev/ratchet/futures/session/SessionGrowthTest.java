/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.worker.ShiftedEnvironment;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.fixture.TransactionKinds;
import dev.ratchet.store.keyspace.Keyspace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However many sessions wait, are held and have ended, no transaction comes near the limits of {@link Growth}. */
class SessionGrowthTest {

    /** Of each kind of session. */
    private static final int SOME = Growth.RECORDS / 4;

    private static final String SEAT = "w-0";
    private static final String LOST_SEAT = "w-9";
    private static final UUID CLIENT = new UUID(9, 9);
    private static final int WRITTEN_AT_ONCE = 500;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Clients NOBODY = (transaction, id) -> CompletableFuture.completedFuture(Optional.empty());
    private static final SessionFutures NO_FUTURES = (id, session) -> CompletableFuture.completedFuture(null);

    private enum Kind {
        OWNED_BY_CLIENT(1),
        OWNED_BY_ATTEMPT(2),
        WAITING(3),
        OVER(4),
        LOST(5),
        ASKED(6);

        private final int idBits;

        Kind(int idBits) {
            this.idBits = idBits;
        }
    }

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final SystemEnvironment real = new SystemEnvironment();
    private final ShiftedEnvironment environment = new ShiftedEnvironment(real);
    private final FutureStore store = new FutureStore(
            measured.wrapper().apply(StoreUnderTest.open(environment)),
            new FutureKeys(new Keyspace("test/sessions")),
            environment);
    private final StoredMembers members = new StoredMembers(store.keys().keyspace());
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final OpenSeat seat = new OpenSeat(SEAT);
    private final SessionHolder holder = new SessionHolder(
            store,
            members,
            seat,
            NOBODY,
            new SlotCapacity(Map.of("gpu", 2 * SOME), SOME),
            NO_FUTURES,
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
        real.close();
    }

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() {
        each(Kind.OWNED_BY_CLIENT, this::suspend);
        each(Kind.OWNED_BY_ATTEMPT, this::suspend);
        each(Kind.LOST, this::lose);
        each(
                Kind.OVER,
                number -> keys.setOver(
                        number.transaction(),
                        number.id(),
                        session(SessionState.SESSION_STATE_CLOSED)
                                .setEndedWallMillis(environment.wallClockMillis())
                                .build()));

        holder.start();
        await("those whose attempts are over to have failed", () -> holder.size() == SOME);
        assertThat(state(Kind.OWNED_BY_CLIENT)).isEqualTo(SessionState.SESSION_STATE_OPEN);
        assertThat(state(Kind.OWNED_BY_ATTEMPT)).isEqualTo(SessionState.SESSION_STATE_FAILED);
        ask(this::opening);
        assertThat(holder.size()).isEqualTo(2 * SOME);
        ask(this::closing);
        each(Kind.WAITING, this::queue);
        requests.releaseForgotten().join();
        holder.poke();
        await("those of the client to have failed", () -> holder.size() == 0);

        new SessionLosses(store, members, ToldLiveness.allDead(), NO_FUTURES)
                .release(LOST_SEAT, 1)
                .join();
        assertThat(state(Kind.LOST)).isEqualTo(SessionState.SESSION_STATE_FAILED);
        assertThat(requests.open(opening(SOME).getOpen()).join().getState())
                .isEqualTo(SessionState.SESSION_STATE_CREATION_TIMED_OUT);
        requests.close(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(id(Kind.WAITING, 1)))
                        .build())
                .join();
        assertThat(listed()).isEqualTo(6 * SOME + 1);

        environment.pass(SessionRequests.RETENTION_MILLIS + 100_000);
        requests.close(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(new UUID(8, 8)))
                        .build())
                .join();
        requests.tidy().join();
        assertThat(requests.describe(id(Kind.OVER, 0)).join()).isEmpty();
        Growth.assertBounded(measured, TransactionKinds.in("dev.ratchet.futures.session"), Map.of());
    }

    private void suspend(Row row) {
        HeldSlot slot = HeldSlot.newBuilder()
                .setResource("gpu")
                .setNumber((row.kind() == Kind.OWNED_BY_CLIENT ? 0 : SOME) + row.number())
                .setToken(1)
                .build();
        SessionRecord.Builder suspended = SuspendedSession.record(store, seat, slot)
                .setReestablishMillis(LIMIT.toMillis())
                .setSuspendedUntilWallMillis(environment.wallClockMillis() + LIMIT.toMillis());
        if (row.kind() == Kind.OWNED_BY_CLIENT) {
            suspended.setOwner(SessionIds.bytes(CLIENT));
            keys.owned.set(row.transaction(), FutureKeys.PRESENT, CLIENT, row.id());
        } else {
            suspended
                    .setOwnerFuture(SessionIds.bytes(new UUID(7, row.number())))
                    .setOwnerClaim(ClaimToken.getDefaultInstance());
        }
        hold(row, SEAT, slot, suspended.build());
    }

    private void lose(Row row) {
        HeldSlot slot = HeldSlot.newBuilder()
                .setResource("gpu")
                .setNumber(row.number())
                .setToken(1)
                .build();
        hold(
                row,
                LOST_SEAT,
                slot,
                session(SessionState.SESSION_STATE_OPEN)
                        .setSeat(LOST_SEAT)
                        .setIncarnation(1)
                        .addSlots(slot)
                        .build());
    }

    private void hold(Row row, String onSeat, HeldSlot slot, SessionRecord record) {
        keys.set(row.transaction(), row.id(), record);
        keys.held.set(row.transaction(), FutureKeys.PRESENT, onSeat, row.id());
        row.transaction()
                .set(keys.slot(onSeat, slot), SessionIds.bytes(row.id()).toByteArray());
    }

    private void queue(Row row) {
        SessionRecord waiting = session(SessionState.SESSION_STATE_WAITING)
                .setCreatedWallMillis(environment.wallClockMillis())
                .setCreationDeadlineWallMillis(environment.wallClockMillis() + LIMIT.toMillis())
                .build();
        keys.set(row.transaction(), row.id(), waiting);
        keys.queue(row.transaction(), row.id(), waiting);
    }

    private static SessionRecord.Builder session(SessionState state) {
        return SessionRecord.newBuilder()
                .setState(state)
                .setDemand(SlotDemand.newBuilder().putSlots("license", 1));
    }

    private SlotsRequest opening(int number) {
        ByteString id = SessionIds.bytes(id(Kind.ASKED, number));
        SlotDemand.Builder demand = SlotDemand.newBuilder();
        if (number == SOME) {
            demand.putSlots("license", 1);
        }
        return SlotsRequest.newBuilder()
                .setOpen(OpenSessionRequest.newBuilder()
                        .setId(id)
                        .setDemand(demand)
                        .setCreationTimeoutMillis(number < SOME ? LIMIT.toMillis() : 1)
                        .setWaitForCapacity(true)
                        .setOwnerSecret(id)
                        .setUserSecret(id))
                .build();
    }

    private SlotsRequest closing(int number) {
        ByteString id = SessionIds.bytes(id(Kind.ASKED, number));
        return SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder().setId(id).setOwnerSecret(id))
                .build();
    }

    /** Asks the worker for each, as many at once as it answers at once. */
    private void ask(IntFunction<SlotsRequest> request) {
        for (int from = 0; from < SOME; from += AskedSlots.ROUND_MAX) {
            List<SlotsRequest> some = IntStream.range(from, Math.min(SOME, from + AskedSlots.ROUND_MAX))
                    .mapToObj(request)
                    .toList();
            SessionGrants.together(holder.ask(some)).join();
        }
    }

    private int listed() {
        int count = 0;
        List<KeyValue> page = requests.page(Optional.empty()).join();
        while (!page.isEmpty()) {
            count += page.size();
            page = requests.page(Optional.of(requests.idOf(page.getLast()))).join();
        }
        return count;
    }

    private SessionState state(Kind kind) {
        return requests.describe(id(kind, SOME - 1)).join().orElseThrow().getState();
    }

    private static UUID id(Kind kind, int number) {
        return new UUID(kind.idBits, number);
    }

    private record Row(Transaction transaction, Kind kind, int number) {
        UUID id() {
            return SessionGrowthTest.id(kind, number);
        }
    }

    private void each(Kind kind, Consumer<Row> write) {
        for (int from = 0; from < SOME; from += WRITTEN_AT_ONCE) {
            int first = from;
            store.runPlain(transaction -> {
                        IntStream.range(first, Math.min(SOME, first + WRITTEN_AT_ONCE))
                                .forEach(number -> write.accept(new Row(transaction, kind, number)));
                        return CompletableFuture.<Void>completedFuture(null);
                    })
                    .join();
        }
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what).atMost(LIMIT).until(holds::getAsBoolean);
    }
}
