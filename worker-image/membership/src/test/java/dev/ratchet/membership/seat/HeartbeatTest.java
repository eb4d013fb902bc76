/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Claims;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What heartbeats and the last one make of what was recorded, what is wished, and what the store says. */
class HeartbeatTest {

    private static final String SEAT = "orders-w-0";
    private static final long LIFE = 3;
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private final Database database = new EmbeddedDatabaseSupplier(ENVIRONMENT).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final StoredMembers members = new StoredMembers(keyspace);
    private final Heartbeat heartbeat = new Heartbeat(keyspace, SEAT);

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @ParameterizedTest(name = "{0} wishes {1}, layout {2}, emptied {3}, claims {4}: {5}, drained {6}")
    @CsvSource({
        "NEW, NEW, has it, false, 0, NEW, false",
        "NEW, UNHEALTHY, has it, false, 0, UNHEALTHY, false",
        "NEW, HEALTHY, has it, false, 0, HEALTHY, false",
        "UNHEALTHY, HEALTHY, has it, false, 0, HEALTHY, false",
        "UNHEALTHY, HEALTHY, none yet, false, 0, HEALTHY, false",
        "UNHEALTHY, HEALTHY, lacks it, false, 0, UNHEALTHY, false",
        "HEALTHY, HEALTHY, lacks it, false, 0, HEALTHY, false",
        "HEALTHY, UNHEALTHY, has it, false, 0, UNHEALTHY, false",
        "DRAINING, HEALTHY, has it, false, 0, HEALTHY, false",
        "DRAINING, HEALTHY, lacks it, false, 0, UNHEALTHY, false",
        "HEALTHY, DRAINING, lacks it, true, 0, DRAINING, false",
        "DRAINING, DRAINING, lacks it, false, 0, DRAINING, false",
        "DRAINING, DRAINING, lacks it, true, 1, DRAINING, false",
        "DRAINING, DRAINING, lacks it, true, 0, DRAINING, true",
        "MUST_DIE, HEALTHY, has it, false, 0, MUST_DIE, false",
    })
    void aHeartbeatRecordsWhatIsPermitted(
            WorkerState recorded,
            WorkerState wished,
            String layout,
            boolean emptied,
            int claims,
            WorkerState expected,
            boolean drained) {
        enter(recorded, layout);

        Heartbeat.Result result = beat(wish(2, wished, generation(), emptied), claims);

        MemberRecord record = record();
        assertThat(result.state()).isEqualTo(expected);
        assertThat(StoredMembers.state(record.getState())).isEqualTo(expected);
        assertThat(record.getDrained()).isEqualTo(drained);
        assertThat(result.lost() != null).as("the seat is lost").isEqualTo(recorded == WorkerState.MUST_DIE);
    }

    @Test
    void aHeartbeatThatWasGivenUpAndArrivesLateChangesNothing() {
        enter(WorkerState.UNHEALTHY, "has it");
        beat(wish(3, WorkerState.HEALTHY, generation(), false), 0);
        beat(wish(2, WorkerState.UNHEALTHY, generation(), false), 0);
        assertThat(record().getState()).isEqualTo(State.STATE_HEALTHY);
        assertThat(lastBeat()).isEqualTo(3);
    }

    @Test
    void ofTwoHeartbeatsThatOverlapTheOlderIsNotCommittedAfterTheNewer() {
        enter(WorkerState.HEALTHY, "has it");
        try (Transaction late = database.createTransaction()) {
            heartbeat
                    .beat(late, wish(2, WorkerState.HEALTHY, generation(), false), new Claims(0))
                    .join();
            beat(wish(3, WorkerState.HEALTHY, generation(), false), 0);
            assertThatThrownBy(() -> late.commit().join()).hasCauseInstanceOf(FDBException.class);
        }
        assertThat(lastBeat()).isEqualTo(3);
    }

    @Test
    void whoTookItsSeatBeforeTheStoreWasRestoredHasLostIt() {
        enter(WorkerState.HEALTHY, "has it");
        Heartbeat.Wish wish = wish(2, WorkerState.HEALTHY, generation(), false);
        database.run(transaction ->
                StoreRecord.raiseGeneration(transaction, keyspace, 2).join());
        assertThat(beat(wish, 0).lost()).isEqualTo("the store was restored: generation 2 replaced 1");
        assertThat(lastBeat()).isZero();
    }

    @ParameterizedTest(name = "claims {0}: drained {1}")
    @CsvSource({"0, true", "1, false"})
    void anIncarnationThatEndsIsRecordedAsDrainedOnlyIfNoClaimIsLeft(int claims, boolean drained) {
        enter(WorkerState.DRAINING, "has it");
        assertThat(end(claims)).isEqualTo(drained);
        assertThat(record().getState()).isEqualTo(State.STATE_MUST_DIE);
        assertThat(record().getDrained()).isEqualTo(drained);
    }

    @Test
    void anEndRepeatedAfterAnUnknownOutcomeHasTheSameAnswer() {
        enter(WorkerState.DRAINING, "has it");
        assertThat(end(0)).isTrue();
        assertThat(end(0)).isTrue();
    }

    @Test
    void whoWasToldToDieHasNotEndedInOrder() {
        enter(WorkerState.MUST_DIE, "has it");
        assertThat(end(0)).isFalse();
        assertThat(record().getEnded()).isFalse();
    }

    @Test
    void theEndOfAFormerIncarnationIsNotThatOfItsSuccessor() {
        enter(WorkerState.HEALTHY, "has it");
        MemberRecord successor = record();
        assertThat(end(LIFE - 1, 0)).isFalse();
        assertThat(record()).isEqualTo(successor);
    }

    @Test
    void whatIsWrittenUnderTheFenceConflictsWithTheLossOfTheSeat() {
        assertConflict(() -> enter(WorkerState.MUST_DIE, "has it"));
    }

    @Test
    void whatIsWrittenUnderTheFenceConflictsWithARestore() {
        assertConflict(() -> database.run(transaction ->
                StoreRecord.raiseGeneration(transaction, keyspace, 2).join()));
    }

    private void assertConflict(Runnable change) {
        enter(WorkerState.HEALTHY, "has it");
        long generation = generation();
        try (Transaction work = database.createTransaction()) {
            assertThat(heartbeat.own(work, LIFE, generation).join().lost()).isNull();
            work.set(keyspace.root().pack("work"), new byte[0]);
            change.run();
            assertThatThrownBy(() -> work.commit().join()).hasCauseInstanceOf(FDBException.class);
        }
    }

    @ParameterizedTest(name = "the term of {0} in incarnation {1}: of \"{2}\"")
    @CsvSource({"orders-w-0, 3, ''", "orders-w-0, 4, orders-w-0", "orders-w-1, 3, orders-w-1"})
    void withAnIncarnationItsOwnTermEndsAndNoOther(String holder, long incarnation, String after) {
        enter(WorkerState.HEALTHY, "has it");
        CoordinatorTable coordinators = new CoordinatorTable(keyspace);
        database.run(transaction -> {
            coordinators.writeHolder(
                    transaction,
                    CoordinatorRecord.newBuilder()
                            .setTerm(7)
                            .setSeat(holder)
                            .setIncarnation(incarnation)
                            .build());
            return null;
        });
        end(0);
        CoordinatorRecord record =
                database.run(transaction -> coordinators.holder(transaction).join());
        assertThat(record.getSeat()).isEqualTo(after);
        assertThat(record.getTerm()).isEqualTo(7);
    }

    private Heartbeat.Wish wish(long beat, WorkerState state, long generation, boolean emptied) {
        return new Heartbeat.Wish(LIFE, generation, beat, state, Inventory.NONE, Map.of(), emptied, false);
    }

    private Heartbeat.Result beat(Heartbeat.Wish wish, int claims) {
        return database.run(transaction ->
                heartbeat.beat(transaction, wish, new Claims(claims)).join());
    }

    private boolean end(int claims) {
        return end(LIFE, claims);
    }

    private boolean end(long incarnation, int claims) {
        return database.run(transaction ->
                heartbeat.end(transaction, incarnation, new Claims(claims)).join());
    }

    private void enter(WorkerState state, String layout) {
        database.run(transaction -> {
            members.write(
                    transaction,
                    SEAT,
                    MemberRecord.newBuilder()
                            .setIncarnation(LIFE)
                            .setState(StoredMembers.stored(state))
                            .build());
            if (!layout.equals("none yet")) {
                new CoordinatorTable(keyspace)
                        .layout()
                        .write(
                                transaction,
                                LayoutRecord.newBuilder()
                                        .setEpoch(1)
                                        .addSeats(layout.equals("has it") ? SEAT : "orders-w-9")
                                        .build());
            }
            return null;
        });
    }

    private long generation() {
        return database.run(
                transaction -> StoreRecord.generation(transaction, keyspace).join());
    }

    private MemberRecord record() {
        return database.run(transaction -> members.record(transaction, SEAT).join());
    }

    private long lastBeat() {
        return database.run(transaction -> members.beat(transaction, SEAT).join())
                .getBeat();
    }
}
