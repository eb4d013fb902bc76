/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where futures are found by what is known of them: one entry of each by (phase, tenant, job, name), one by (phase,
 * seat, job) once a worker has run it, and the number of those of each name. A phase is a state, but that claiming a
 * QUEUED future does not move it: the few that are CLAIMED are in the table of claims. Entries follow from the record
 * and are moved by the transaction that changes it. Not safe for use by several threads.
 */
public final class ListingIndex {

    /** All phases, in the order of their entries. */
    public static final List<State> PHASES = List.of(
            State.STATE_WAITING,
            State.STATE_DELAYED,
            State.STATE_QUEUED,
            State.STATE_ASSIGNED,
            State.STATE_REALIZED,
            State.STATE_FAILED,
            State.STATE_CANCELLED,
            State.STATE_LOST,
            State.STATE_DELETED);

    private final Transaction transaction;
    private final FutureKeys keys;
    private final Map<Tuple, Long> named = new TreeMap<>();

    ListingIndex(Transaction transaction, FutureKeys keys) {
        this.transaction = transaction;
        this.keys = keys;
    }

    /** Under what a future in this state is listed. */
    public static State phase(State state) {
        return state == State.STATE_CLAIMED ? State.STATE_QUEUED : state;
    }

    /** Where a future is listed. */
    public static byte[] entry(FutureKeys keys, FutureId id, FutureRecordOrBuilder record) {
        return entry(keys, id, record, record.getState());
    }

    /** Where a future is listed by the seat that ran it last; of a CLAIMED one the table of claims knows it. */
    public static Optional<byte[]> ranEntry(FutureKeys keys, FutureId id, FutureRecordOrBuilder record) {
        return ranEntry(keys, id, record, record.getState(), record.getClaim().getSeat());
    }

    /** Where the number of futures with this one's name is; absent if it has none. */
    public static Optional<Tuple> name(FutureRecordOrBuilder record) {
        return record.getName().isEmpty()
                ? Optional.empty()
                : Optional.of(Tuple.from(record.getName(), SchedulingSpecs.tenant(record), record.getJob()));
    }

    /** Moves the entries of a future to where its record belongs now. */
    void move(LoadedFuture future) {
        FutureRecordOrBuilder record = future.record();
        State before = future.stateBefore();
        State after = future.stateAfter();
        if (phase(before) != phase(after)) {
            if (before != State.STATE_UNSPECIFIED) {
                transaction.clear(entry(keys, future.id(), record, before));
            }
            if (after != State.STATE_UNSPECIFIED) {
                transaction.set(entry(keys, future.id(), record, after), FutureKeys.PRESENT);
            }
        }
        String seatAfter = record.getClaim().getSeat();
        if (before != after || !future.seatBefore().equals(seatAfter)) {
            ranEntry(keys, future.id(), record, before, future.seatBefore()).ifPresent(transaction::clear);
            ranEntry(keys, future.id(), record, after, seatAfter)
                    .ifPresent(key -> transaction.set(key, FutureKeys.PRESENT));
        }
        long delta = (long) future.futuresAfter() - future.futuresBefore();
        name(record).filter(unused -> delta != 0).ifPresent(name -> named.merge(name, delta, Long::sum));
    }

    /** Writes what was counted. */
    void finish() {
        named.forEach((name, delta) -> {
            byte[] key = keys.named.subspace().pack(name);
            transaction.mutate(MutationType.ADD, key, keys.named.encode(delta));
            if (delta < 0) {
                transaction.mutate(MutationType.COMPARE_AND_CLEAR, key, keys.named.encode(0L));
            }
        });
    }

    private static byte[] entry(FutureKeys keys, FutureId id, FutureRecordOrBuilder record, State state) {
        return keys.listed.key(
                phase(state).getNumber(),
                SchedulingSpecs.tenant(record),
                record.getJob(),
                record.getName(),
                id.value());
    }

    private static Optional<byte[]> ranEntry(
            FutureKeys keys, FutureId id, FutureRecordOrBuilder record, State state, String seat) {
        return seat.isEmpty() || state == State.STATE_CLAIMED || state == State.STATE_UNSPECIFIED
                ? Optional.empty()
                : Optional.of(keys.ran.key(state.getNumber(), seat, record.getJob(), id.value()));
    }
}
