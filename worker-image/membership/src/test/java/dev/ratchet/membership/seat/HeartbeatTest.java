/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.Holds;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a heartbeat makes of what was recorded, what is wished, and what the store says: the whole table of states. */
class HeartbeatTest {

    private static final String SEAT = "orders-w-0";
    private static final long LIFE = 3;
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private final Database database = new EmbeddedDatabaseSupplier(ENVIRONMENT).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final StoredMembers members = new StoredMembers(keyspace);

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

        Heartbeat.Wish wish = new Heartbeat.Wish(LIFE, generation(), 2, wished, Holds.NONE, Map.of(), emptied);
        Heartbeat.Result result = database.run(transaction -> new Heartbeat(keyspace, SEAT)
                .beat(transaction, wish, new Claims(claims))
                .join());

        MemberRecord record = record();
        assertThat(result.state()).isEqualTo(expected);
        assertThat(StoredMembers.state(record.getState())).isEqualTo(expected);
        assertThat(record.getDrained()).isEqualTo(drained);
        assertThat(result.lost() != null).as("the seat is lost").isEqualTo(recorded == WorkerState.MUST_DIE);
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

    /** So many claims in the store. */
    private record Claims(int count) implements Holdings {
        @Override
        public Holds now() {
            return Holds.NONE;
        }

        @Override
        public CompletableFuture<Holds> recorded(ReadTransaction transaction, String seat) {
            return CompletableFuture.completedFuture(new Holds(count, 0, 0, 0, 0));
        }

        @Override
        public CompletableFuture<Void> settle(Seat seat) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> canary() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> drain(long timeoutMillis) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void resume() {
            // Nothing runs.
        }

        @Override
        public void abandon() {
            // The same.
        }
    }
}
