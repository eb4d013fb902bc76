/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The transaction that takes a seat. Its retry after an unknown outcome finds its own nonce and changes nothing. */
final class Registration {

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
     * @param incarnation the own one if taken, else that of the holder; 0 if OUTDATED, when no record was read
     * @param generation of the store; 0 if OUTDATED
     * @param parkedIncarnation the newest one whose files are to be taken up; 0: none
     * @param obstacle what is in the way, for people; empty unless INCOMPATIBLE or OUTDATED
     */
    record Answer(TakeOver verdict, long incarnation, long generation, long parkedIncarnation, String obstacle) {
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
        return StoreRecord.formatObjection(transaction, keyspace, me.formats()).thenCompose(objection -> objection
                .map(why -> CompletableFuture.completedFuture(new Answer(TakeOver.OUTDATED, 0, 0, 0, why)))
                .orElseGet(() -> takeReadable(transaction, deadIncarnation, wallClockMillis)));
    }

    /** As {@link #take}, of records that this release can read. */
    private CompletableFuture<Answer> takeReadable(
            Transaction transaction, long deadIncarnation, long wallClockMillis) {
        return members.record(transaction, me.seat())
                .thenCombine(StoreRecord.generation(transaction, keyspace), (record, generation) -> {
                    boolean dead = record.getIncarnation() == deadIncarnation;
                    return new Answer(
                            TakeOver.decide(record, me, dead),
                            record.getIncarnation(),
                            generation,
                            record.getParkedIncarnation(),
                            "");
                })
                .thenCompose(answer -> answer.verdict() == TakeOver.TAKE
                        ? stranger(transaction).thenApply(stranger -> stranger.map(obstacle -> new Answer(
                                        TakeOver.INCOMPATIBLE, answer.incarnation(), answer.generation(), 0, obstacle))
                                .orElseGet(() -> write(transaction, answer, wallClockMillis)))
                        : CompletableFuture.completedFuture(answer));
    }

    private Answer write(Transaction transaction, Answer before, long wallClockMillis) {
        long incarnation = before.incarnation() + 1;
        members.write(transaction, me.seat(), newRecord(incarnation, before.parkedIncarnation(), wallClockMillis));
        members.writeBeat(
                transaction,
                me.seat(),
                BeatRecord.newBuilder().setIncarnation(incarnation).setBeat(1).build());
        return new Answer(before.verdict(), incarnation, before.generation(), before.parkedIncarnation(), "");
    }

    /** A member of another seat that speaks no protocol of this process. By snapshot: members come and go meanwhile. */
    private CompletableFuture<Optional<String>> stranger(Transaction transaction) {
        return members.records(transaction.snapshot()).thenApply(records -> records.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(me.seat()) && !isUnderstood(entry.getValue()))
                .findFirst()
                .map(entry -> entry.getKey() + " (release " + entry.getValue().getVersion() + ") speaks protocols "
                        + protocols(entry.getValue()) + ", this process (release "
                        + me.formats().release() + ") "
                        + VersionRange.PROTOCOLS));
    }

    private static boolean isUnderstood(MemberRecord member) {
        return member.getState() == State.STATE_MUST_DIE || VersionRange.PROTOCOLS.shares(protocols(member));
    }

    private static VersionRange protocols(MemberRecord member) {
        return VersionRange.recorded(member.getProtocolLeast(), member.getProtocol());
    }

    private MemberRecord newRecord(long incarnation, long parkedIncarnation, long wallClockMillis) {
        return MemberRecord.newBuilder()
                .setIncarnation(incarnation)
                .setState(State.STATE_NEW)
                .setPodUid(me.podUid())
                .setBootNumber(me.bootNumber())
                .setBootNonce(me.bootNonce())
                .setHost(me.host())
                .setAddress(me.address())
                .setVersion(me.formats().release())
                .setThreads(me.threads())
                .putAllLabels(me.labels())
                .setOnVolume(me.onVolume())
                .setParks(true)
                .setParkedIncarnation(parkedIncarnation)
                .setObserverTtlMillis(lease.demandedObserverTtlMillis())
                .setTakenAtMillis(wallClockMillis)
                .setProtocolLeast(VersionRange.PROTOCOLS.least())
                .setProtocol(VersionRange.PROTOCOLS.newest())
                .setFormatLeast(me.formats().levels().least())
                .setFormat(me.formats().levels().newest())
                .build();
    }
}
