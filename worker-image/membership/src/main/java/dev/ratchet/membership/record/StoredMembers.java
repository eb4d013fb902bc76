/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.record;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads and writes seats in the store. Holds no state; every method works in the transaction that it is given. */
public final class StoredMembers implements Members {

    private final MembershipRows<MemberRecord> records;
    private final MembershipRows<BeatRecord> beats;
    private final MembershipRows<Long> version;

    public StoredMembers(Keyspace keyspace) {
        records = new MembershipRows<>(MembershipTables.MEMBER, keyspace, MemberRecord.getDefaultInstance());
        beats = new MembershipRows<>(MembershipTables.BEAT, keyspace, BeatRecord.getDefaultInstance());
        version = new MembershipRows<>(MembershipTables.VERSION, keyspace, 0L);
    }

    @Override
    public CompletableFuture<List<Member>> all(ReadTransaction transaction) {
        return records(transaction).thenCombine(beats(transaction), StoredMembers::join);
    }

    @Override
    public CompletableFuture<Optional<Member>> one(ReadTransaction transaction, String seat) {
        CompletableFuture<BeatRecord> beat = beats.read(transaction.snapshot(), seat);
        return record(transaction, seat)
                .thenCombine(
                        beat,
                        (record, last) -> record.getIncarnation() == 0
                                ? Optional.empty()
                                : Optional.of(member(seat, record, last)));
    }

    /** The record of a seat, with incarnation 0 if it was never taken. */
    public CompletableFuture<MemberRecord> record(ReadTransaction transaction, String seat) {
        return records.read(transaction, seat);
    }

    /** Makes the transaction conflict with each write of the record of a seat since its read version. */
    public void conflictWithRecord(Transaction transaction, String seat) {
        transaction.addReadConflictKey(records.key(seat));
    }

    /** All records by seat. */
    public CompletableFuture<Map<String, MemberRecord>> records(ReadTransaction transaction) {
        return records.bySeat(transaction);
    }

    /** All last beats by seat, read by snapshot: beats never conflict with anything. */
    public CompletableFuture<Map<String, BeatRecord>> beats(ReadTransaction transaction) {
        return beats.bySeat(transaction.snapshot());
    }

    /** The last beat of a seat, with beat 0 before the first. */
    public CompletableFuture<BeatRecord> beat(ReadTransaction transaction, String seat) {
        return beats.read(transaction, seat);
    }

    /** Grows with each write of a record. */
    public CompletableFuture<Long> version(ReadTransaction transaction) {
        return version.read(transaction);
    }

    /** The key of {@link #version}, for watches. */
    public byte[] versionKey() {
        return version.key();
    }

    /** Writes the record of a seat, and tells readers that one has changed. */
    public void write(Transaction transaction, String seat, MemberRecord record) {
        records.write(transaction, record, seat);
        changed(transaction);
    }

    /** Tells readers that a record has changed, or what is ordered of the seats. */
    public void changed(Transaction transaction) {
        version.add(transaction, 1L);
    }

    /** Writes the last beat of a seat. */
    public void writeBeat(Transaction transaction, String seat, BeatRecord beat) {
        beats.write(transaction, beat, seat);
    }

    /** Records and beats as members, in the order of the records. */
    public static List<Member> join(Map<String, MemberRecord> records, Map<String, BeatRecord> beats) {
        List<Member> members = new ArrayList<>(records.size());
        records.forEach((seat, record) ->
                members.add(member(seat, record, beats.getOrDefault(seat, BeatRecord.getDefaultInstance()))));
        return members;
    }

    /** Record and beat of a seat as one value; a beat of a former incarnation counts as none. */
    public static Member member(String seat, MemberRecord record, BeatRecord lastBeat) {
        BeatRecord beat =
                lastBeat.getIncarnation() == record.getIncarnation() ? lastBeat : BeatRecord.getDefaultInstance();
        return new Member(
                seat,
                record.getIncarnation(),
                state(record.getState()),
                record.getPodUid(),
                record.getBootNumber(),
                record.getBootNonce(),
                record.getHost(),
                record.getAddress(),
                record.getVersion(),
                record.getThreads(),
                record.getLabelsMap(),
                record.getObserverTtlMillis(),
                record.getDrained(),
                record.getEnded(),
                record.getOnVolume(),
                record.getParks(),
                record.getParkedIncarnation(),
                record.getTakenAtMillis(),
                beat.getBeat(),
                beat.getFreeResourcesMap(),
                Inventory.NONE
                        .withFutures(beat.getHeldFutures())
                        .withObjects(beat.getHeldObjects())
                        .withActors(beat.getHeldActors())
                        .withSessions(beat.getHeldSessions())
                        .withShards(beat.getHeldShards()));
    }

    /** The state in a record; one that this version does not know counts as UNHEALTHY, which takes no work. */
    public static WorkerState state(State state) {
        return switch (state) {
            case STATE_NEW -> WorkerState.NEW;
            case STATE_HEALTHY -> WorkerState.HEALTHY;
            case STATE_DRAINING -> WorkerState.DRAINING;
            case STATE_MUST_DIE -> WorkerState.MUST_DIE;
            case STATE_UNHEALTHY, STATE_UNSPECIFIED, UNRECOGNIZED -> WorkerState.UNHEALTHY;
        };
    }

    /** The opposite of {@link #state}. */
    public static State stored(WorkerState state) {
        return switch (state) {
            case NEW -> State.STATE_NEW;
            case UNHEALTHY -> State.STATE_UNHEALTHY;
            case HEALTHY -> State.STATE_HEALTHY;
            case DRAINING -> State.STATE_DRAINING;
            case MUST_DIE -> State.STATE_MUST_DIE;
        };
    }
}
