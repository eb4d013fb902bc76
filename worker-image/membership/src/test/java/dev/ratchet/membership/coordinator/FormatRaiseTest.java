/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new store and workers of this release and of others in it. */
class FormatRaiseTest {

    private static final ReleaseFormats OWN = new ReleaseFormats("0.1.0", new VersionRange(1, 1));
    private static final ReleaseFormats NEXT = new ReleaseFormats("0.2.0", new VersionRange(1, 2));
    private static final int OURS = 1;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void aLevelThatALivingWorkerDoesNotReadIsNotRaised() {
        open();
        enter("orders-w-0", State.STATE_HEALTHY, OURS + 1);
        enter("orders-w-1", State.STATE_DRAINING, OURS);
        assertThatThrownBy(() -> raise(OURS + 1))
                .hasMessageContaining("worker orders-w-1 of release 0.1.0 works on levels 1 to " + OURS);
        assertThat(level()).isEqualTo(OURS);
    }

    @Test
    void aLevelThatThisReleaseDoesNotWriteIsNotRaised() {
        open();
        enter("orders-w-0", State.STATE_HEALTHY, OURS + 1);
        assertThatThrownBy(() -> raise(OURS + 1)).hasMessageContaining("is not one that release");
        assertThat(level()).isEqualTo(OURS);
    }

    @Test
    void aRaisedLevelBearsTheNameOfTheReleaseThatRaisedItAndTheReleaseOfBeforeIsRefused() {
        open();
        enter("orders-w-0", State.STATE_HEALTHY, OURS + 1);
        assertThat(raise(OURS + 1, NEXT)).isEqualTo(OURS + 1);
        assertThat(objection(NEXT)).isEmpty();
        assertThat(objection(OWN)).hasValueSatisfying(why -> assertThat(why)
                .contains("format level 2, recorded by release 0.2.0")
                .contains("this release, 0.1.0, works on levels 1 to 1"));
    }

    @Test
    void aNewStoreIsOfTheNewestLevelOfTheReleaseThatMakesIt() {
        database.run(
                transaction -> StoreRecord.openOrCreate(transaction, keyspace, "team-a/orders", NEXT, new Random(1))
                        .join());
        assertThat(level()).isEqualTo(2);
    }

    @Test
    void whereNothingIsRecordedNothingIsRaised() {
        assertThat(level()).isZero();
        assertThatThrownBy(() -> raise(OURS)).hasMessageContaining("There is no store");
    }

    @Test
    void theLevelNeverFalls() {
        open();
        assertThat(raise(OURS)).isEqualTo(OURS);
        assertThat(raise(0)).isEqualTo(OURS);
        assertThat(level()).isEqualTo(OURS);
    }

    @Test
    void workersThatAreGoneHoldNothingBack() {
        MemberRecord gone = record(State.STATE_MUST_DIE, OURS);
        assertThat(FormatRaise.common(List.of(gone, record(State.STATE_NEW, OURS + 2)), OWN))
                .isEqualTo(OURS + 2);
        MemberRecord first =
                MemberRecord.newBuilder().setState(State.STATE_HEALTHY).build();
        assertThat(FormatRaise.common(List.of(first, record(State.STATE_NEW, OURS + 2)), OWN))
                .as("a worker that recorded no range is of the first level")
                .isEqualTo(1);
    }

    private void open() {
        database.run(transaction -> StoreRecord.openOrCreate(transaction, keyspace, "team-a/orders", OWN, new Random(1))
                .join());
    }

    private int raise(int level) {
        return raise(level, OWN);
    }

    private int raise(int level, ReleaseFormats own) {
        return database.runAsync(transaction -> FormatRaise.to(level, transaction, keyspace, own))
                .join();
    }

    private Optional<String> objection(ReleaseFormats own) {
        return database.run(transaction ->
                StoreRecord.formatObjection(transaction, keyspace, own).join());
    }

    private int level() {
        return database.run(
                transaction -> StoreRecord.format(transaction, keyspace).join());
    }

    private void enter(String seat, State state, int newest) {
        database.run(transaction -> {
            new StoredMembers(keyspace).write(transaction, seat, record(state, newest));
            return null;
        });
    }

    private static MemberRecord record(State state, int newest) {
        return MemberRecord.newBuilder()
                .setIncarnation(1)
                .setState(state)
                .setVersion("0.1.0")
                .setFormatLeast(1)
                .setFormat(newest)
                .build();
    }
}
