/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The transactions by which a held seat renews its lease, records its state, and ends. Each reads the seat's own
 * record, so none of them writes once another incarnation has it; each can be repeated without effect.
 */
final class Heartbeat {

    private final Keyspace keyspace;
    private final StoredMembers members;
    private final CoordinatorTable coordinators;
    private final String seat;

    Heartbeat(Keyspace keyspace, String seat) {
        this.keyspace = keyspace;
        this.members = new StoredMembers(keyspace);
        this.coordinators = new CoordinatorTable(keyspace);
        this.seat = seat;
    }

    /**
     * What the process wants to have recorded.
     *
     * @param incarnation its own
     * @param generation of the store when it took the seat
     * @param beat number of this heartbeat
     * @param state how it is
     * @param holds what it holds
     * @param freeResources what it has left
     * @param emptied it has let go of everything: record the seat as drained if the store agrees
     * @param parked what it holds is in files that its next process finds: record that if the store knows of no claim
     */
    record Wish(
            long incarnation,
            long generation,
            long beat,
            WorkerState state,
            Inventory holds,
            Map<String, Long> freeResources,
            boolean emptied,
            boolean parked) {}

    /**
     * What a heartbeat found.
     *
     * @param lost why the seat is not the process's any more, or null if it is
     * @param state the state that is recorded now; less than was wished while the layout in force lacks the seat
     * @param drained whether the seat is recorded as drained now
     * @param parked whether it is recorded as parked now
     * @param command the newest command to the seat
     * @param readVersion at which it was found
     */
    record Result(
            @Nullable String lost,
            WorkerState state,
            boolean drained,
            boolean parked,
            CommandRecord command,
            long readVersion) {

        private Result(@Nullable String lost, WorkerState state, Proof proof, CommandRecord command) {
            this(lost, state, proof.drained(), proof.parked(), command, 0);
        }

        Result at(long version) {
            return new Result(lost, state, drained, parked, command, version);
        }
    }

    /** What the store confirms of what a draining seat wishes to have recorded. */
    private record Proof(boolean drained, boolean parked) {
        static final Proof NONE = new Proof(false, false);
    }

    /**
     * Renews and records in {@code transaction}. The last beat is read with conflict: a try that was given up and
     * arrives late changes nothing after the next one.
     */
    CompletableFuture<Result> beat(Transaction transaction, Wish wish, Holdings holdings) {
        CompletableFuture<CommandRecord> command = coordinators.commands().read(transaction.snapshot(), seat);
        CompletableFuture<BeatRecord> last = members.beat(transaction, seat);
        return own(transaction, wish.incarnation(), wish.generation()).thenCompose(own -> {
            if (own.lost() != null) {
                return CompletableFuture.completedFuture(
                        new Result(own.lost(), WorkerState.MUST_DIE, Proof.NONE, CommandRecord.getDefaultInstance()));
            }
            MemberRecord record = own.record();
            return permitted(transaction, record, wish).thenCompose(state -> proof(transaction, record, wish, holdings)
                    .thenCombine(last, (proof, before) -> {
                        if (before.getBeat() <= wish.beat()) {
                            write(transaction, record, wish, state, proof);
                        }
                        return proof;
                    })
                    .thenCombine(command, (proof, newest) -> new Result(null, state, proof, newest)));
        });
    }

    /**
     * A seat becomes HEALTHY only if it may take work by the layout and drains in force, read here so that a layout
     * without it conflicts: what the operator was told of a seat that no layout has stays true.
     */
    private CompletableFuture<WorkerState> permitted(Transaction transaction, MemberRecord record, Wish wish) {
        if (wish.state() != WorkerState.HEALTHY || record.getState() == State.STATE_HEALTHY) {
            return CompletableFuture.completedFuture(wish.state());
        }
        return coordinators
                .orders(transaction)
                .thenApply(orders -> orders.mustDrain(seat) ? WorkerState.UNHEALTHY : WorkerState.HEALTHY);
    }

    private CompletableFuture<Proof> proof(Transaction transaction, MemberRecord record, Wish wish, Holdings holdings) {
        boolean drains = wish.state() == WorkerState.DRAINING && record.getState() == State.STATE_DRAINING;
        if (!drains || !(wish.emptied() || wish.parked())) {
            return CompletableFuture.completedFuture(Proof.NONE);
        }
        return holdings.recorded(transaction, seat)
                .thenApply(held -> new Proof(wish.emptied() && held.isNothing(), wish.parked() && held.futures() == 0));
    }

    private void write(Transaction transaction, MemberRecord record, Wish wish, WorkerState permitted, Proof proof) {
        assert record.getIncarnation() == wish.incarnation() : "a heartbeat of another incarnation is written";
        assert proof.equals(Proof.NONE) || permitted == WorkerState.DRAINING : proof + " while " + permitted;
        State state = StoredMembers.stored(permitted);
        long parked = proof.parked() ? wish.incarnation() : 0;
        MemberRecord next = record.toBuilder()
                .setState(state)
                .setDrained(proof.drained())
                // Until it has settled it has not taken up what the former incarnation has left.
                .setParkedIncarnation(permitted == WorkerState.NEW ? record.getParkedIncarnation() : parked)
                .build();
        if (!next.equals(record)) {
            members.write(transaction, seat, next);
        }
        Inventory holds = wish.holds();
        members.writeBeat(
                transaction,
                seat,
                BeatRecord.newBuilder()
                        .setIncarnation(wish.incarnation())
                        .setBeat(wish.beat())
                        .putAllFreeResources(wish.freeResources())
                        .setHeldFutures(holds.futures())
                        .setHeldObjects(holds.objects())
                        .setHeldActors(holds.actors())
                        .setHeldSessions(holds.sessions())
                        .setHeldShards(holds.shards())
                        .build());
    }

    /**
     * Ends the incarnation in order, and its term if it has one. Completes with whether the seat was recorded as
     * drained; an incarnation that was lost before counts as not drained.
     */
    CompletableFuture<Boolean> end(Transaction transaction, long incarnation, Holdings holdings) {
        CompletableFuture<CoordinatorRecord> holder = coordinators.holder(transaction);
        CompletableFuture<Inventory> recorded = holdings.recorded(transaction, seat);
        return members.record(transaction, seat)
                .thenCombine(recorded, (record, held) -> {
                    if (record.getIncarnation() != incarnation || record.getState() == State.STATE_MUST_DIE) {
                        return record.getIncarnation() == incarnation && record.getEnded() && record.getDrained();
                    }
                    members.write(
                            transaction,
                            seat,
                            record.toBuilder()
                                    .setState(State.STATE_MUST_DIE)
                                    .setEnded(true)
                                    .setDrained(held.isNothing())
                                    .build());
                    return held.isNothing();
                })
                .thenCombine(holder, (drained, record) -> {
                    if (record.getSeat().equals(seat) && record.getIncarnation() == incarnation) {
                        coordinators.writeHolder(
                                transaction,
                                CoordinatorRecord.newBuilder()
                                        .setTerm(record.getTerm())
                                        .build());
                    }
                    return drained;
                });
    }

    /** The seat's record, and why it is not that of {@code incarnation} any more, if so. Both reads conflict. */
    CompletableFuture<Own> own(Transaction transaction, long incarnation, long generation) {
        return members.record(transaction, seat)
                .thenCombine(
                        StoreRecord.generation(transaction, keyspace),
                        (record, found) -> new Own(record, lost(record, incarnation, found, generation)));
    }

    /** As {@link #own} for a transaction that has the version of a former such read: conflicts, and reads nothing. */
    void conflictWithOwn(Transaction transaction) {
        members.conflictWithRecord(transaction, seat);
        StoreRecord.conflictWithGeneration(transaction, keyspace);
    }

    /** The seat's record, and null or why it is not the asker's. */
    record Own(MemberRecord record, @Nullable String lost) {}

    private static @Nullable String lost(MemberRecord record, long incarnation, long found, long generation) {
        if (found != generation) {
            return "the store was restored: generation " + found + " replaced " + generation;
        }
        if (record.getIncarnation() == 0) {
            return SeatKeeper.STORE_CLEARED;
        }
        if (record.getIncarnation() != incarnation) {
            return "incarnation " + record.getIncarnation() + " at " + record.getAddress() + " took the seat";
        }
        return record.getState() == State.STATE_MUST_DIE ? "the record says MUST_DIE" : null;
    }
}
