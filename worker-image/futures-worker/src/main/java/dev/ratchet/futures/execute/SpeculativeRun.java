/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Calls and reads of one actor that were run before they are recorded. Knows where the one before it has stopped, as
 * far as that spares ways to the store; whether it is true, the transaction that records it reads.
 */
public final class SpeculativeRun {

    public static final long NO_VERSION = -1;

    private final FutureId actor;
    private final ActorSnapshot before;
    private final ActorSnapshot after;
    private final Set<FutureId> started;
    private final Optional<FutureId> lastCall;
    private final long version;
    private volatile long recordedVersion = NO_VERSION;
    private volatile boolean recorded;

    /**
     * A run that is over.
     *
     * @param before the state before the first call
     * @param after the state after the last one
     * @param started the calls and reads
     * @param lastCall what most likely was the last call before them
     * @param version a version of the store with {@code before}, or {@link #NO_VERSION}
     */
    public SpeculativeRun(
            FutureId actor,
            ActorSnapshot before,
            ActorSnapshot after,
            Set<FutureId> started,
            Optional<FutureId> lastCall,
            long version) {
        this.actor = actor;
        this.before = before;
        this.after = after;
        this.started = started;
        this.lastCall = lastCall;
        this.version = version;
    }

    /** Whether a call in this state lets the next one of its actor begin. */
    public static boolean isOver(State state) {
        return Lifecycle.isDone(state) || state == State.STATE_LOST;
    }

    public FutureId actor() {
        return actor;
    }

    public ActorSnapshot after() {
        return after;
    }

    public Set<FutureId> started() {
        return started;
    }

    /** Whether its calls are recorded with these attempts at them, by the last transaction that was tried. */
    boolean isRecorded() {
        return recorded;
    }

    void setRecorded(boolean recorded) {
        this.recorded = recorded;
    }

    /** A version at which everything can be read that decides whether this counts, or {@link #NO_VERSION}. */
    long version() {
        return version;
    }

    /** Begins to read what decides whether it counts: a transaction reads once what it is asked twice. */
    public void prefetch(ActorStates states, FutureTransaction futures) {
        started.forEach(futures::load);
        lastCall.ifPresent(futures::load);
        var unused = holds(states, futures.transaction());
    }

    /** Whether the actor still has the state with which this began, which stays so until the transaction commits. */
    CompletableFuture<Boolean> holds(ActorStates states, Transaction transaction) {
        return states.replacing(actor, before, after).hold(transaction);
    }

    /** Writes the state that it leaves, and learns the version with it if the transaction commits. */
    void recordBy(ActorStates states, Transaction transaction) {
        recordedVersion = NO_VERSION;
        if (!after.equals(before)) {
            states.replacing(actor, before, after).apply(transaction);
        }
        var unused = transaction
                .getVersionstamp()
                .thenAccept(stamp -> recordedVersion = ByteBuffer.wrap(stamp).getLong());
    }

    /** The version with it; {@link #NO_VERSION} where it was not recorded, or nobody knows. */
    public long recordedVersion() {
        return recordedVersion;
    }
}
