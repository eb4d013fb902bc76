/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.membership.seat.Registration.Answer;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.protocol.store.v1.StoreIdentity;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreTables;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Two processes want one seat: every order of their reads and commits, with outcomes reported and not. */
class RegistrationTest {

    private static final String SEAT = "orders-w-0";
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @Test
    void ofTwoRegistrantsExactlyOneGetsTheSeatInEveryInterleaving() {
        for (List<Integer> order : interleavings()) {
            Store cluster = new Store();
            Registrant[] both = {new Registrant(cluster, "pod-a", 1), new Registrant(cluster, "pod-b", 2)};
            for (int who : order) {
                both[who].step();
            }
            both[0].finish();
            both[1].finish();
            long takers = List.of(both).stream()
                    .filter(registrant -> registrant.answer().isTaken())
                    .count();
            assertThat(takers).as("order %s", order).isEqualTo(1);
            assertThat(cluster.record().getIncarnation()).as("order %s", order).isEqualTo(1);
        }
    }

    @Test
    void aRegistrationRepeatedAfterAnUnknownOutcomeIssuesNoSecondIncarnation() {
        Store cluster = new Store();
        Registrant registrant = new Registrant(cluster, "pod-a", 1);
        registrant.step();
        registrant.step();
        Registrant retry = new Registrant(cluster, "pod-a", 1);
        retry.finish();
        assertThat(retry.answer()).isEqualTo(new Answer(TakeOver.ALREADY_MINE, 1, 1, 0, ""));
        assertThat(cluster.record().getIncarnation()).isEqualTo(1);
    }

    @Test
    void whatTheLeaseOfAWorkerDemandsOfOthersIsRecordedWithItsSeat() {
        Store cluster = new Store();
        new Registrant(cluster, "pod-a", 1).finish();
        assertThat(cluster.record().getObserverTtlMillis())
                .isEqualTo(LeaseSettings.DEFAULT.demandedObserverTtlMillis());
    }

    @Test
    void theDeathOfAFormerIncarnationGivesNobodyTheSeatOfItsSuccessor() {
        Store cluster = new Store();
        new Registrant(cluster, "pod-a", 1).finish();
        Registrant second = new Registrant(cluster, "pod-b", 2).whoHasSeenDie(1);
        second.finish();
        assertThat(second.answer()).isEqualTo(new Answer(TakeOver.TAKE, 2, 1, 0, ""));
        Registrant third = new Registrant(cluster, "pod-c", 3).whoHasSeenDie(1);
        third.finish();
        assertThat(third.answer()).isEqualTo(new Answer(TakeOver.BUSY, 2, 1, 0, ""));
    }

    @Test
    void whoSpeaksNoProtocolOfTheMembersWaits() {
        Store cluster = new Store();
        cluster.enter("orders-w-1", 7, 8);
        Registrant registrant = new Registrant(cluster, "pod-a", 1);
        registrant.finish();
        assertThat(registrant.answer().verdict()).isEqualTo(TakeOver.INCOMPATIBLE);
        assertThat(registrant.answer().obstacle())
                .isEqualTo("orders-w-1 (release 9.0.0) speaks protocols 7 to 8, this process (release "
                        + Release.VERSION + ") " + VersionRange.PROTOCOLS);
        assertThat(cluster.record().getIncarnation()).isZero();
        cluster.enter("orders-w-1", 1, 7);
        Registrant later = new Registrant(cluster, "pod-a", 1);
        later.finish();
        assertThat(later.answer().isTaken()).isTrue();
    }

    @Test
    void whoDoesNotReadTheRecordedFormatsGetsNoSeatEvenIfTheyWereRaisedWhileItRegistered() {
        Store cluster = new Store();
        Registrant registrant = new Registrant(cluster, "pod-a", 1);
        registrant.step();
        cluster.recordFormat(9, "0.9.0");
        registrant.finish();
        assertThat(registrant.answer().verdict()).isEqualTo(TakeOver.OUTDATED);
        assertThat(registrant.answer().obstacle())
                .contains(
                        "format level 9, recorded by release 0.9.0",
                        "and this release, " + Release.VERSION + ", works on levels " + VersionRange.FORMATS);
        assertThat(cluster.record().getIncarnation()).isZero();
    }

    @Test
    void recordsThatItCanNotReadDoNotHideFromAProcessThatTheFormatsWereRaised() {
        Store cluster = new Store();
        cluster.recordFormat(9, "0.9.0");
        cluster.recordMemberOfUnknownForm();
        Registrant registrant = new Registrant(cluster, "pod-a", 1);
        registrant.finish();
        assertThat(registrant.answer().verdict()).isEqualTo(TakeOver.OUTDATED);
        assertThat(registrant.answer().obstacle()).contains("recorded by release 0.9.0");
    }

    @Test
    void theRelicOfAPodNeverGetsTheSeatBackFromItsSuccessorInWhateverOrderTheyCommit() {
        for (List<Integer> order : interleavings()) {
            Store cluster = new Store();
            Registrant first = new Registrant(cluster, "pod-a", 1);
            first.finish();
            Registrant[] both = {
                new Registrant(cluster, "pod-a", 2, 2), new Registrant(cluster, "pod-a", 3, 3),
            };
            for (int who : order) {
                both[who].step();
            }
            both[0].finish();
            both[1].finish();
            MemberRecord record = cluster.record();
            assertThat(record.getBootNumber()).as("order %s", order).isEqualTo(3);
            assertThat(record.getIncarnation()).as("order %s", order).isBetween(2L, 3L);
        }
    }

    /** Each registrant has two steps, read and commit: all orders of four steps. */
    private static List<List<Integer>> interleavings() {
        List<List<Integer>> orders = new ArrayList<>();
        for (int bits = 0; bits < 16; bits++) {
            if (Integer.bitCount(bits) == 2) {
                orders.add(List.of(bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1));
            }
        }
        return orders;
    }

    /** A store of its own, asked one call at a time. */
    private static final class Store {
        private final Keyspace keyspace = new Keyspace("team-a/orders");
        private final Database database = new EmbeddedDatabaseSupplier(ENVIRONMENT).get();

        <T> T await(CompletableFuture<T> future) {
            return future.join();
        }

        void enter(String seat, int protocolLeast, int protocol) {
            database.run(transaction -> {
                new StoredMembers(keyspace)
                        .write(
                                transaction,
                                seat,
                                MemberRecord.newBuilder()
                                        .setIncarnation(1)
                                        .setState(State.STATE_HEALTHY)
                                        .setVersion("9.0.0")
                                        .setProtocolLeast(protocolLeast)
                                        .setProtocol(protocol)
                                        .build());
                return null;
            });
        }

        void recordFormat(int level, String release) {
            Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
            StoreIdentity raised = StoreIdentity.newBuilder()
                    .setFormat(level)
                    .setFormatRelease(release)
                    .build();
            database.run(transaction -> {
                transaction.set(identities.key(), identities.encode(raised));
                return null;
            });
        }

        void recordMemberOfUnknownForm() {
            database.run(transaction -> {
                transaction.set(MembershipTables.MEMBER.in(keyspace).key(SEAT), new byte[] {Byte.MAX_VALUE});
                return null;
            });
        }

        MemberRecord record() {
            return await(database.readAsync(transaction -> new StoredMembers(keyspace).record(transaction, SEAT)));
        }
    }

    private static final class Registrant {
        private final Store cluster;
        private final Registration registration;
        private Transaction transaction;
        private Answer answer;
        private long dead;
        private boolean read;
        private boolean done;

        Registrant(Store cluster, String podUid, long nonce) {
            this(cluster, podUid, nonce, 1);
        }

        Registrant(Store cluster, String podUid, long nonce, long bootNumber) {
            this.cluster = cluster;
            WorkerDescription me = new WorkerDescription(
                    SEAT,
                    podUid,
                    bootNumber,
                    nonce,
                    "node",
                    "10.0.0." + nonce + ":7400",
                    ReleaseFormats.OWN,
                    2,
                    Map.of(),
                    false);
            registration = new Registration(cluster.keyspace, me, LeaseSettings.DEFAULT);
            transaction = cluster.database.createTransaction();
        }

        Registrant whoHasSeenDie(long incarnation) {
            dead = incarnation;
            return this;
        }

        void step() {
            if (done) {
                return;
            }
            if (!read) {
                answer = cluster.await(registration.take(transaction, dead, 0));
                read = true;
                return;
            }
            try {
                cluster.await(transaction.commit());
                done = true;
            } catch (CompletionException failure) {
                transaction = cluster.await(transaction.onError((FDBException) failure.getCause()));
                read = false;
            }
        }

        void finish() {
            while (!done) {
                step();
            }
        }

        Answer answer() {
            return answer;
        }
    }
}
