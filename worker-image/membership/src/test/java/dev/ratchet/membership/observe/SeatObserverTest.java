/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeatObserverTest {

    private static final String SEAT = "orders-w-0";

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final SeatObserver observer = new SeatObserver(
            database,
            keyspace,
            LeaseSettings.DEFAULT,
            address -> CompletableFuture.completedFuture(Prober.Result.UNKNOWN),
            new MembershipCounters(),
            environment);

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void whatWasReadBeforeTheNewestReadIsNoNews() {
        SeatObserver.Look late = observer.look();
        database.run(transaction -> late.read(transaction).join());
        database.run(transaction -> {
            new StoredMembers(keyspace)
                    .write(
                            transaction,
                            SEAT,
                            MemberRecord.newBuilder().setIncarnation(1).build());
            return null;
        });
        observer.refresh().join();
        late.done();
        assertThat(observer.latest()).extracting(Member::seat).containsExactly(SEAT);
    }
}
