/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.environment.Turn;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.AtomicOperations;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.VersionstampPlaces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Commits that share a version, while they are applied. For one thread at a time until it is frozen. */
final class CommitBatch {

    private static final int RECORD_BYTES = 24;
    private static final int TOLD_AT_ONCE_MAX = 8;

    private final long version;
    private final TreeEditor<byte[]> tip;
    private final List<Accepted> accepted = new ArrayList<>();
    private final List<Mutation> changes = new ArrayList<>();
    private final List<CommittedBatch.Named> named = new ArrayList<>();
    private long displacedBytes;
    private long sizeBytes;
    private int toldAtOnce;
    private boolean touchesSystemKeys;

    private record Accepted(CompletableFuture<CommitOutcome> future, CommitOutcome outcome) {
        void tell() {
            future.complete(outcome);
        }
    }

    CommitBatch(long version, TreeEditor<byte[]> tip) {
        this.version = version;
        this.tip = tip;
    }

    long version() {
        return version;
    }

    boolean isEmpty() {
        return accepted.isEmpty();
    }

    /** How many it holds. */
    int commits() {
        return accepted.size();
    }

    boolean touchesSystemKeys() {
        return touchesSystemKeys;
    }

    /** Bytes of what it changes. */
    long sizeBytes() {
        return sizeBytes;
    }

    /** What is wrong with the mutations of a request that came from elsewhere; null when nothing is. */
    @Nullable
    EmbeddedFDBException invalid(CommitRequest request) {
        for (Mutation mutation : request.mutations()) {
            int code =
                    switch (mutation.type()) {
                        case Mutation.SET, Mutation.CLEAR_RANGE -> 0;
                        case Mutation.SET_VERSIONSTAMPED_KEY ->
                            VersionstampPlaces.isValid(mutation.key()) ? 0 : ErrorCode.CLIENT_INVALID_OPERATION;
                        case Mutation.SET_VERSIONSTAMPED_VALUE ->
                            VersionstampPlaces.isValid(mutation.param()) ? 0 : ErrorCode.CLIENT_INVALID_OPERATION;
                        default -> AtomicOperations.isAtomic(mutation.type()) ? 0 : ErrorCode.INVALID_MUTATION_TYPE;
                    };
            if (code != 0) {
                return new EmbeddedFDBException(code);
            }
        }
        return null;
    }

    /** Applies a commit that has passed all checks, and returns its place. */
    int accept(CommitRequest request, CompletableFuture<CommitOutcome> future, ConflictWindow conflicts) {
        CommitOutcome outcome = new CommitOutcome(version, accepted.size());
        accepted.add(new Accepted(future, outcome));
        byte[] stamp = null;
        for (Mutation mutation : request.mutations()) {
            switch (mutation.type()) {
                case Mutation.SET -> set(mutation);
                case Mutation.CLEAR_RANGE -> clear(mutation);
                case Mutation.SET_VERSIONSTAMPED_KEY -> {
                    stamp = stamp == null ? outcome.versionstamp() : stamp;
                    byte[] key = VersionstampPlaces.fill(mutation.key(), stamp);
                    set(new Mutation(Mutation.SET, key, mutation.param()));
                    conflicts.write(KeyRange.ofKey(key), version);
                }
                case Mutation.SET_VERSIONSTAMPED_VALUE -> {
                    stamp = stamp == null ? outcome.versionstamp() : stamp;
                    set(new Mutation(Mutation.SET, mutation.key(), VersionstampPlaces.fill(mutation.param(), stamp)));
                }
                default -> operate(mutation);
            }
        }
        for (KeyRange range : request.writeConflicts()) {
            conflicts.write(range, version);
        }
        RequestId id = request.requestId();
        if (request.toldAtOnce()) {
            toldAtOnce++;
        }
        if (id != null) {
            named.add(new CommittedBatch.Named(id, outcome.batchIndex()));
        }
        return outcome.batchIndex();
    }

    /** What is noted is no larger than the operation, however large the value is that it leaves or lengthens. */
    private void operate(Mutation mutation) {
        byte[] before = tip.get(mutation.key());
        byte[] after = AtomicOperations.apply(mutation.type(), before, mutation.param());
        if (after == before) {
            return;
        }
        if (after == null) {
            clear(new Mutation(Mutation.CLEAR_RANGE, mutation.key(), Keys.after(mutation.key())));
        } else if (after.length > mutation.param().length) {
            put(mutation.key(), after);
            note(mutation);
        } else {
            set(new Mutation(Mutation.SET, mutation.key(), after));
        }
    }

    private void set(Mutation set) {
        put(set.key(), set.param());
        note(set);
    }

    private void put(byte[] key, byte[] value) {
        byte[] before = tip.put(key, value);
        displacedBytes += before == null ? 0 : before.length;
    }

    private void clear(Mutation clear) {
        byte[] key = clear.key();
        byte[] end = clear.param();
        if (end.length == key.length + 1
                && end[key.length] == 0
                && Arrays.equals(key, 0, key.length, end, 0, key.length)) {
            byte[] before = tip.remove(key);
            displacedBytes += before == null ? 0 : before.length + key.length;
        } else {
            long before = tip.weight();
            tip.removeRange(key, end);
            displacedBytes += before - tip.weight();
        }
        note(clear);
    }

    private void note(Mutation change) {
        changes.add(change);
        sizeBytes += change.key().length + change.param().length + RECORD_BYTES;
        touchesSystemKeys |= Keys.isSystem(change.key())
                || (change.type() == Mutation.CLEAR_RANGE && Keys.compare(change.param(), Keys.USER_END) > 0);
    }

    /** The data with all of this batch. */
    History.Published freeze(boolean locked) {
        return new History.Published(version, tip.freeze(), locked, tip.takeCopiedBytes() + displacedBytes);
    }

    CommittedBatch record(long reservedVersion) {
        return new CommittedBatch(version, reservedVersion, changes, named);
    }

    /** Tells all that it is done. */
    void complete(Executor executor) {
        // To wake another thread costs more than to answer so few, whose callbacks never block.
        if (toldAtOnce == accepted.size() && toldAtOnce <= TOLD_AT_ONCE_MAX) {
            Turn.run(() -> accepted.forEach(Accepted::tell));
        } else {
            Tellers.tell(accepted.size(), i -> accepted.get(i).tell(), executor);
        }
    }

    /** Nothing of it will ever reach the disk. Who is told of the cause by the caller is not told here. */
    void abandon(CompletableFuture<CommitOutcome> toldOtherwise, Executor executor) {
        accepted.removeIf(commit -> commit.future == toldOtherwise);
        fail(executor);
        accepted.clear();
    }

    /** It is not known how much of it reached the disk. */
    void fail(Executor executor) {
        List<Accepted> failed = List.copyOf(accepted);
        Tellers.tell(
                failed.size(),
                i -> failed.get(i)
                        .future
                        .completeExceptionally(new EmbeddedFDBException(ErrorCode.COMMIT_UNKNOWN_RESULT)),
                executor);
    }
}
