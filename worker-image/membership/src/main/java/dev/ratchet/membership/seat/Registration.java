/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;

/** The transaction that takes a seat. Its retry after an unknown outcome finds its own nonce and changes nothing. */
final class Registration {

    /** Least and highest protocol between workers that this release speaks. */
    private static final int PROTOCOL = 1;

    private final Keyspace keyspace;
    private final StoredMembers members;
    private final WorkerDescription me;
    private final LeaseSettings lease;

    Registration(Keyspace keyspace, WorkerDescription me, LeaseSettings lease) {
        this.keyspace = keyspace;
        this.members = new StoredMembers(keyspace);
        this.me = me;
        this.lease = lease;
    }

    /**
     * What one try gave.
     *
     * @param verdict why
     * @param incarnation the own one if taken, else that of the holder
     * @param generation of the store
     */
    record Answer(TakeOver verdict, long incarnation, long generation) {
        boolean isTaken() {
            return verdict == TakeOver.TAKE || verdict == TakeOver.ALREADY_MINE;
        }
    }

    /**
     * Takes the seat in {@code transaction} if it may be taken.
     *
     * @param deadIncarnation the incarnation that was observed to be dead, or 0
     */
    CompletableFuture<Answer> take(Transaction transaction, long deadIncarnation, long wallClockMillis) {
        return members.record(transaction, me.seat())
                .thenCombine(StoreRecord.generation(transaction, keyspace), (record, generation) -> {
                    boolean dead = record.getIncarnation() == deadIncarnation;
                    TakeOver verdict = TakeOver.decide(record, me, dead);
                    if (verdict != TakeOver.TAKE) {
                        return new Answer(verdict, record.getIncarnation(), generation);
                    }
                    long incarnation = record.getIncarnation() + 1;
                    members.write(transaction, me.seat(), newRecord(incarnation, wallClockMillis));
                    members.writeBeat(
                            transaction,
                            me.seat(),
                            BeatRecord.newBuilder()
                                    .setIncarnation(incarnation)
                                    .setBeat(1)
                                    .build());
                    return new Answer(verdict, incarnation, generation);
                });
    }

    private MemberRecord newRecord(long incarnation, long wallClockMillis) {
        return MemberRecord.newBuilder()
                .setIncarnation(incarnation)
                .setState(State.STATE_NEW)
                .setPodUid(me.podUid())
                .setBootNumber(me.bootNumber())
                .setBootNonce(me.bootNonce())
                .setHost(me.host())
                .setAddress(me.address())
                .setVersion(me.version())
                .setThreads(me.threads())
                .putAllLabels(me.labels())
                .setObserverTtlMillis(lease.demandedObserverTtlMillis())
                .setTakenAtMillis(wallClockMillis)
                .setProtocolLeast(PROTOCOL)
                .setProtocol(PROTOCOL)
                .build();
    }
}
