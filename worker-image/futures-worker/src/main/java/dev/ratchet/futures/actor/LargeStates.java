/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * Writes and reads states that are too large for the record of their actor, by as many transactions as they need. A
 * state is written before the outcome of its call, whose transaction names its pieces and clears all others of the
 * actor. Pieces that no outcome has named are cleared by the worker that wrote them, by that of the next call, or,
 * where neither does, by the {@link #sweep}.
 */
public final class LargeStates {

    /** How often a read begins anew because a call has replaced the state meanwhile. */
    private static final int READS_MAX = 100;

    private final FutureStore store;
    private final ActorStates states;
    private final PieceStore pieces;

    public LargeStates(FutureStore store) {
        this.store = store;
        this.states = new ActorStates(store.keys());
        this.pieces = new PieceStore(store, store.keys().actorPieces);
    }

    /** Writes the pieces. Writing the same ones again changes nothing. */
    public CompletableFuture<Void> write(LargeState state) {
        return writeFrom(state, 0);
    }

    private CompletableFuture<Void> writeFrom(LargeState state, int first) {
        int last = Math.min(state.pieces().count(), first + PieceStore.PIECES_PER_TRANSACTION);
        if (first >= last) {
            return CompletableFuture.completedFuture(null);
        }
        List<byte[]> some = new ArrayList<>();
        for (int piece = first; piece < last; piece++) {
            int from = piece * ValueSizes.PIECE_BYTES;
            some.add(state.content()
                    .substring(from, Math.min(state.content().size(), from + ValueSizes.PIECE_BYTES))
                    .toByteArray());
        }
        return pieces.write(state.pieces().owner(state.actor().value()), first, some)
                .thenCompose(unused -> writeFrom(state, last));
    }

    /**
     * Clears pieces unless the recorded state names them: the call may be gone that would tell that its outcome was
     * recorded.
     */
    public CompletableFuture<Void> forget(LargeState state) {
        return store.runPlain(
                transaction -> states.read(transaction, state.actor()).thenAccept(recorded -> {
                    if (!recorded.pieces().equals(Optional.of(state.pieces()))) {
                        store.keys()
                                .actorPieces
                                .clearAll(
                                        transaction,
                                        state.pieces()
                                                .owner(state.actor().value())
                                                .toArray());
                    }
                }));
    }

    /** Clears all pieces that the recorded state does not name and whose calls have ended. */
    public CompletableFuture<Void> sweep() {
        return sweep(store.keys().actorPieces.range().begin);
    }

    private CompletableFuture<Void> sweep(byte[] from) {
        Table<byte[]> table = store.keys().actorPieces;
        return store.read(transaction -> transaction
                        .getRange(from, table.range().end, 1)
                        .asList()
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(Optional.<Written>empty())
                                : written(
                                        transaction,
                                        table.elements(found.getFirst().getKey()))))
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : release(found.get())
                                .thenCompose(
                                        unused -> sweep(table.range(found.get().owner()).end)));
    }

    /** Pieces as they are found. */
    private record Written(Object[] owner, boolean isLeft) {}

    private CompletableFuture<Optional<Written>> written(ReadTransaction transaction, Tuple key) {
        Object[] owner = key.getItems().subList(0, key.size() - 1).toArray();
        return isLeft(transaction, owner).thenApply(isLeft -> Optional.of(new Written(owner, isLeft)));
    }

    /** Whether no outcome has named the pieces, and none will. */
    private CompletableFuture<Boolean> isLeft(ReadTransaction transaction, Object[] owner) {
        UUID actor = (UUID) owner[0];
        FutureId call = new FutureId((UUID) owner[1]);
        return states.read(transaction, new FutureId(actor))
                .thenCombine(
                        store.keys().record(transaction, call),
                        (recorded, open) -> recorded.pieces()
                                        .filter(pieces -> Arrays.equals(
                                                pieces.owner(actor).toArray(), owner))
                                        .isEmpty()
                                && open.filter(record -> !Lifecycle.isDone(record.getState()))
                                        .isEmpty());
    }

    private CompletableFuture<Void> release(Written pieces) {
        return pieces.isLeft()
                ? store.runPlain(
                        transaction -> isLeft(transaction, pieces.owner()).thenAccept(isLeft -> {
                            if (isLeft) {
                                store.keys().actorPieces.clearAll(transaction, pieces.owner());
                            }
                        }))
                : CompletableFuture.completedFuture(null);
    }

    /**
     * Reads the recorded state of an actor, with what it has in pieces.
     *
     * @param isHere whether the pieces of a state need not be read
     * @return fails with {@link IllegalStateException} if pieces are missing or damaged, or if the state was replaced
     *     {@value #READS_MAX} times before it was read
     */
    public CompletableFuture<GivenState> read(FutureId actor, Predicate<ActorSnapshot> isHere) {
        return read(actor, isHere, Optional.empty(), 1);
    }

    private CompletableFuture<GivenState> read(
            FutureId actor, Predicate<ActorSnapshot> isHere, Optional<ActorSnapshot> unreadable, int reads) {
        return store.read(transaction -> states.read(transaction, actor)).thenCompose(recorded -> {
            Optional<StatePieces> inPieces = recorded.pieces().filter(unused -> !isHere.test(recorded));
            if (inPieces.isEmpty()) {
                return CompletableFuture.completedFuture(GivenState.of(recorded, states.bytesMax()));
            }
            if (unreadable.equals(Optional.of(recorded))) {
                throw new IllegalStateException("The state of the actor " + actor.value() + " is damaged: "
                        + inPieces.get()
                        + " lacks pieces, or they are not of this digest. Restore the store from a backup,"
                        + " or go on with an actor of another name.");
            }
            if (reads > READS_MAX) {
                throw new IllegalStateException("The state of the actor " + actor.value() + " was replaced " + READS_MAX
                        + " times, each time before its " + inPieces.get().bytes()
                        + " bytes were read. Call the actor less often, or let it have a smaller state.");
            }
            return content(actor, inPieces.get())
                    .thenCompose(content -> content.isPresent()
                            ? CompletableFuture.completedFuture(
                                    new GivenState(recorded, content.get(), states.bytesMax()))
                            : read(actor, isHere, Optional.of(recorded), reads + 1));
        });
    }

    /** Nothing where it is not there as it was written: if it was replaced meanwhile, another state is recorded. */
    private CompletableFuture<Optional<ByteString>> content(FutureId actor, StatePieces named) {
        return pieces.readAll(named.owner(actor.value()), named.count(), Math.toIntExact(named.bytes()))
                .handle((content, failure) -> {
                    if (failure == null) {
                        return Optional.of(UnsafeByteOperations.unsafeWrap(content))
                                .filter(named::areOf);
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof IllegalStateException) {
                        return Optional.empty();
                    }
                    throw new CompletionException(cause);
                });
    }
}
