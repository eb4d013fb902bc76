/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Claims;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A coordinator that decided by what was true a moment ago. */
class DirectorTest {

    private static final String SEAT = "orders-w-0";
    private static final String LEADER = "orders-w-1";
    private static final int TIMED_OUT = 1031;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final StoredMembers members = new StoredMembers(keyspace);
    private final CoordinatorTable table = new CoordinatorTable(keyspace);
    private final SeatObserver observer = new SeatObserver(
            database,
            keyspace,
            LeaseSettings.DEFAULT,
            address -> CompletableFuture.completedFuture(Prober.Result.REFUSED),
            new MembershipCounters(),
            environment);
    private final CompletableFuture<Void> passed = new CompletableFuture<>();

    @BeforeEach
    void aTermAndAWorkerThatTheLayoutLacks() {
        database.run(transaction -> {
            table.writeHolder(
                    transaction,
                    CoordinatorRecord.newBuilder()
                            .setTerm(1)
                            .setSeat(LEADER)
                            .setIncarnation(1)
                            .build());
            table.layout()
                    .write(
                            transaction,
                            LayoutRecord.newBuilder()
                                    .setEpoch(1)
                                    .addSeats(LEADER)
                                    .build());
            return null;
        });
        enter(1, State.STATE_HEALTHY);
    }

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void aCommandThatWasGivenUpAndArrivesLateDoesNotReplaceTheNextOne() {
        CompletableFuture<Transaction> late = new CompletableFuture<>();
        Director director = director(givingUpTheFirst(late));
        director.pass();
        try (Transaction first = await(late)) {
            director.pass();
            await(passed);
            assertThatThrownBy(() -> first.commit().join()).hasCauseInstanceOf(FDBException.class);
        }
        CommandRecord command = database.run(
                transaction -> table.commands().read(transaction, SEAT).join());
        assertThat(command.getSeq()).isEqualTo(2);
    }

    @Test
    void whoTookTheSeatOfADeadWorkerIsNotMarkedDeadInItsPlace() {
        enter(1, State.STATE_MUST_DIE);
        await(observer.refresh());
        enter(2, State.STATE_HEALTHY);
        director(database).pass();
        await(passed);
        MemberRecord successor =
                database.run(transaction -> members.record(transaction, SEAT).join());
        assertThat(successor.getState()).isEqualTo(State.STATE_HEALTHY);
    }

    @Test
    void whoDrainsMeanwhileIsNotMarkedDeadForWhatWasSeenBefore() {
        CompletableFuture<Long> died = new CompletableFuture<>();
        observer.addListener((seat, incarnation) -> died.complete(incarnation));
        await(observer.refresh());
        observer.suspect(SEAT, 1);
        assertThat(await(died)).isEqualTo(1);
        enter(1, State.STATE_DRAINING);
        director(database).pass();
        await(passed);
        MemberRecord living =
                database.run(transaction -> members.record(transaction, SEAT).join());
        assertThat(living.getState()).isEqualTo(State.STATE_DRAINING);
    }

    private void enter(long incarnation, State state) {
        database.run(transaction -> {
            members.write(
                    transaction,
                    SEAT,
                    MemberRecord.newBuilder()
                            .setIncarnation(incarnation)
                            .setState(state)
                            .build());
            return null;
        });
    }

    /** Completes {@link #passed} after a pass in which it wrote something. */
    private Director director(Database to) {
        Term term = new Term(1, LEADER, 1, 1, to, keyspace);
        return new Director(
                term, keyspace, observer, new Claims(0), new Unheard(), environment, () -> passed.complete(null));
    }

    /** The first transaction is left to the test before its commit, and counts as failed. */
    @SuppressWarnings("unchecked") // A proxy is given what the interface says.
    private Database givingUpTheFirst(CompletableFuture<Transaction> late) {
        return (Database) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Database.class}, (proxy, method, arguments) -> {
                    if (late.isDone() || !method.getName().equals("runAsync")) {
                        return method.invoke(database, arguments);
                    }
                    return giveUp((Function<Transaction, CompletableFuture<?>>) arguments[0], late);
                });
    }

    private CompletableFuture<Object> giveUp(
            Function<Transaction, CompletableFuture<?>> change, CompletableFuture<Transaction> late) {
        Transaction transaction = database.createTransaction();
        return change.apply(transaction).thenCompose(done -> {
            late.complete(transaction);
            return CompletableFuture.failedFuture(new FDBException("given up", TIMED_OUT));
        });
    }

    private static <T> T await(CompletableFuture<T> future) {
        return future.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Messages that nobody answers. */
    private static final class Unheard implements WorkerCalls {
        @Override
        public CompletableFuture<Void> hello(Member worker, long term) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> order(Member worker, long term, long seq, SeatOrder order) {
            return new CompletableFuture<>();
        }
    }
}
