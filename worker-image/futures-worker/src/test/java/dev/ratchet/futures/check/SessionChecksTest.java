/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An open session with a slot of its seat, one of its host and a future; then one thing is made wrong at a time. */
class SessionChecksTest {

    private static final String SEAT = "orders-w-0";
    private static final UUID SESSION = new UUID(0, 70);
    private static final byte[] SESSION_BYTES = SessionIds.bytes(SESSION).toByteArray();
    private static final FutureId FUTURE = new FutureId(new UUID(0, 1));

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/session-checks");
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final FutureStore store = new FutureStore(StoreUnderTest.open(environment), keys, environment);

    @BeforeEach
    void writeWhatIsRight() {
        run((transaction, sessions) -> {
            new StoredMembers(keyspace)
                    .write(
                            transaction,
                            SEAT,
                            MemberRecord.newBuilder().setIncarnation(2).build());
            sessions.records.set(transaction, session().build(), SESSION);
            sessions.slots.set(transaction, SESSION_BYTES, SEAT, "gpu", 0L);
            sessions.hostSlots.set(transaction, SESSION_BYTES, "host", "port", 1L);
            sessions.held.set(transaction, FutureKeys.PRESENT, SEAT, SESSION);
            sessions.futures.set(transaction, FutureKeys.PRESENT, SESSION, FUTURE.value());
            writeFuture(transaction);
        });
    }

    private void writeFuture(Transaction transaction) {
        FutureRecord.Builder record = FutureRecord.newBuilder()
                .setState(State.STATE_CLAIMED)
                .setJob("check")
                .setPartition(QueuePartition.newBuilder().setTenant("default"))
                .setEpoch(1)
                .setNumAttempts(1)
                .setClaim(
                        ClaimToken.newBuilder().setSeat(SEAT).setIncarnation(2).setEpoch(1))
                .setSchedulingSpec(SchedulingSpec.newBuilder()
                        .setSession(SessionBinding.newBuilder().setId(SessionIds.bytes(SESSION))));
        keys.records.set(transaction, record.build(), FUTURE.value());
        transaction.set(keys.claims.key(SEAT, 2, FUTURE.value()), FutureKeys.PRESENT);
        for (FutureIndex index : FutureIndex.values()) {
            index.keys(keys, FUTURE, record).forEach(entry -> transaction.set(entry, FutureKeys.PRESENT));
        }
        keys.counts.set(transaction, 1L, "check", "state", record.getState().getNumber());
        keys.counts.set(transaction, 1L, "check", "tenant", "default");
    }

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void findsNothingWhereAllIsRight() {
        assertThat(check().violations()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongs")
    void findsWhatIsWrong(String message, BiConsumer<Transaction, SessionKeys> wrong) {
        run(wrong);

        assertThat(check().violations())
                .anySatisfy(found -> assertThat(found.toString()).contains(message));
    }

    static Stream<Arguments> wrongs() {
        UUID other = new UUID(0, 71);
        byte[] nobody = SessionIds.bytes(other).toByteArray();
        String unknown = "is held by the session " + other + ", which does not know it";
        String mine = "is held by the session " + SESSION + ", which does not know it";
        return Stream.of(
                wrong(
                        "is SESSION_STATE_OPEN and has no slots",
                        (to, sessions) ->
                                sessions.records.set(to, session().clearSlots().build(), SESSION)),
                wrong(
                        "is SESSION_STATE_CLOSING and has no slots",
                        (to, sessions) -> sessions.records.set(
                                to,
                                session()
                                        .setState(SessionState.SESSION_STATE_CLOSING)
                                        .clearSlots()
                                        .build(),
                                SESSION)),
                wrong(
                        "is SESSION_STATE_CLOSED and has slots",
                        (to, sessions) -> sessions.records.set(
                                to,
                                session()
                                        .setState(SessionState.SESSION_STATE_CLOSED)
                                        .build(),
                                SESSION)),
                wrong(
                        "has the slot gpu/0, which another one holds, or nobody",
                        (to, sessions) -> sessions.slots.clear(to, SEAT, "gpu", 0L)),
                wrong(
                        "has the slot port/1, which another one holds, or nobody",
                        (to, sessions) -> sessions.hostSlots.set(to, nobody, "host", "port", 1L)),
                wrong(unknown, (to, sessions) -> sessions.slots.set(to, nobody, SEAT, "gpu", 1L)),
                wrong(mine, (to, sessions) -> sessions.slots.set(to, SESSION_BYTES, SEAT, "gpu", 1L)),
                wrong(mine, (to, sessions) -> sessions.slots.set(to, SESSION_BYTES, "orders-w-1", "gpu", 0L)),
                wrong(unknown, (to, sessions) -> sessions.hostSlots.set(to, nobody, "host", "port", 2L)),
                wrong(mine, (to, sessions) -> sessions.hostSlots.set(to, SESSION_BYTES, "other", "port", 1L)),
                wrong(
                        "is no session that has slots of this seat",
                        (to, sessions) -> sessions.held.set(to, FutureKeys.PRESENT, SEAT, other)),
                wrong(
                        "is no session that has slots of this seat",
                        (to, sessions) -> sessions.held.set(to, FutureKeys.PRESENT, "orders-w-1", SESSION)),
                wrong(
                        "is no future of this session that is not done",
                        (to, sessions) -> sessions.futures.set(to, FutureKeys.PRESENT, SESSION, new UUID(0, 72))),
                wrong(
                        "is no future of this session that is not done",
                        (to, sessions) -> sessions.futures.set(to, FutureKeys.PRESENT, other, FUTURE.value())));
    }

    private static SessionRecord.Builder session() {
        return SessionRecord.newBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setSeat(SEAT)
                .setIncarnation(2)
                .addSlots(HeldSlot.newBuilder().setResource("gpu"))
                .addSlots(HeldSlot.newBuilder().setResource("port").setNumber(1).setHost("host"));
    }

    private static Arguments wrong(String message, BiConsumer<Transaction, SessionKeys> change) {
        return Arguments.of(message, change);
    }

    private CheckReport check() {
        return new ClusterCheck(store, new StoredMembers(keyspace)).run().join();
    }

    private void run(BiConsumer<Transaction, SessionKeys> change) {
        store.runPlain(transaction -> {
                    change.accept(transaction, new SessionKeys(keys));
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }
}
