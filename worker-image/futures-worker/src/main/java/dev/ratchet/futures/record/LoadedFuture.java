/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of one future, or of a block, within one transaction: read once, changed in memory, written when the
 * transaction finishes. A future in a block has no record until it is changed: then it leaves the block. Used by one
 * thread at a time.
 */
public final class LoadedFuture {

    /**
     * A step in the lives of futures.
     *
     * @param futures how many have taken it: those that were in the block then, or one
     */
    record Step(Event event, int futures) {}

    private final FutureId id;
    private final @Nullable FutureRecord stored;
    private final FutureRecord.Builder record;
    private final List<Step> steps = new ArrayList<>(2);
    private final @Nullable LoadedFuture block;
    private final int futuresBefore;
    private boolean changed;
    private boolean removed;

    /** One that the store does not know. */
    LoadedFuture(FutureId id, FutureRecord.Builder record) {
        this(id, null, record, null);
    }

    /** One that the store knows. */
    LoadedFuture(FutureId id, FutureRecord stored) {
        this(id, stored, stored.toBuilder(), null);
    }

    /** A future in a block. */
    static LoadedFuture in(LoadedFuture block, int number, FutureRecord.Builder record) {
        return new LoadedFuture(BlockIds.future(block.id(), number), null, record, block);
    }

    private LoadedFuture(
            FutureId id, @Nullable FutureRecord stored, FutureRecord.Builder record, @Nullable LoadedFuture block) {
        this.block = block;
        this.stored = stored;
        this.futuresBefore = stored == null ? 0 : BlockFutures.count(stored);
        this.id = id;
        this.record = record;
    }

    public FutureId id() {
        return id;
    }

    /** The record to read. */
    public FutureRecord.Builder record() {
        return record;
    }

    /** The record to change in anything but its state. */
    public FutureRecord.Builder change() {
        changed = true;
        return record;
    }

    public State state() {
        return record.getState();
    }

    /** Goes to the state that follows. @throws IllegalStateException if the event can not happen now */
    public void apply(Event event) {
        record.setState(Lifecycle.next(record.getState(), event));
        note(event);
        changed = true;
    }

    /** Goes to one of the states that may follow. @throws IllegalStateException if it may not */
    public void apply(Event event, State to) {
        record.setState(Lifecycle.next(record.getState(), event, to));
        note(event);
        changed = true;
    }

    /** Notes that all futures that are in this block, which is done, are deleted: they need no state any more. */
    void noteDeleted() {
        note(Event.DELETE);
    }

    private void note(Event event) {
        steps.add(new Step(event, BlockFutures.count(record)));
    }

    /** Removes the record itself: the future is unknown from then on. */
    public void remove() {
        changed = true;
        removed = true;
    }

    /** Whether the record will be gone. */
    public boolean isRemoved() {
        return removed;
    }

    /** Whether the future is claimed, and by this token. */
    public boolean isClaimedBy(ClaimToken token) {
        return state() == State.STATE_CLAIMED && record.getClaim().equals(token);
    }

    /** What has happened to it, in order. */
    List<Step> steps() {
        return steps;
    }

    /** Whether the record stands for many futures. */
    public boolean isBlock() {
        return record.hasBlock();
    }

    /** Whether the future is in a block, which it has not left so far. */
    public boolean isInBlock() {
        return block != null && !changed;
    }

    /** The block that the future was in when it was loaded, if it was. */
    Optional<LoadedFuture> block() {
        return Optional.ofNullable(block);
    }

    /** How many futures the store knows by this record: none of those that are in a block, each by itself. */
    public int futuresBefore() {
        return futuresBefore;
    }

    /** How many the store will know by this record. */
    public int futuresAfter() {
        return removed ? 0 : BlockFutures.count(record);
    }

    /** What the store says; STATE_UNSPECIFIED if it knows no such future. */
    State stateBefore() {
        return futuresBefore == 0 || stored == null ? State.STATE_UNSPECIFIED : stored.getState();
    }

    /** What the store will say. */
    State stateAfter() {
        return futuresAfter() == 0 ? State.STATE_UNSPECIFIED : record.getState();
    }

    /** The record as the store has it; absent where it has none of its own. */
    Optional<FutureRecord> stored() {
        return Optional.ofNullable(stored);
    }

    /** An epoch numbers the attempts at a future: it never falls, and a claim in force is of the last one. */
    void assertEpochs() {
        assert stored == null || record.getEpoch() >= stored.getEpoch() : "the epoch of " + id + " falls";
        assert state() != State.STATE_CLAIMED || record.getClaim().getEpoch() == record.getEpoch()
                : id + " is claimed for another epoch than its own";
    }

    boolean isChanged() {
        return changed;
    }
}
