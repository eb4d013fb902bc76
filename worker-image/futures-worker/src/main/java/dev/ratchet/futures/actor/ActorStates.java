/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The recorded states of actors, in pieces, the first of which begins with the name of the attempt that wrote it; and
 * the calls of each behind which the next ones queue: all other open ones are before one of these. A state is replaced
 * only by an attempt that has run on the very state that is recorded, so that two calls never both start from the same
 * one.
 */
public final class ActorStates {

    /** Largest state that is in the record; larger ones are in pieces, see {@link LargeStates}. */
    public static final int RECORD_BYTES_MAX = 1 << 20;

    /** Largest state, serialised. */
    public static final int BYTES_MAX = 64 << 20;

    /** What a recorded state begins with: the call that has left it, and its epoch. */
    public static final int WRITER_BYTES = Ids.BYTES + Long.BYTES;

    /** Most calls behind which the next ones of an actor queue. */
    public static final int LAST_CALLS_MAX = 2_000;

    private static final int PIECES_MAX = 20;

    private final FutureKeys keys;

    public ActorStates(FutureKeys keys) {
        this.keys = keys;
    }

    /** Largest state, serialised, as long as the recorded level of formats is what it is now. */
    public int bytesMax() {
        return writesPieces() ? BYTES_MAX : RECORD_BYTES_MAX;
    }

    private boolean writesPieces() {
        return keys.keyspace().formats().get() >= StateImage.LEVEL_OF_PIECES;
    }

    /** The name of an attempt. */
    public static ByteString writer(FutureId call, long epoch) {
        return Ids.bytes(call)
                .concat(ByteString.copyFrom(
                        ByteBuffer.allocate(Long.BYTES).putLong(epoch).flip()));
    }

    /** The recorded state. */
    public CompletableFuture<ActorSnapshot> read(ReadTransaction transaction, FutureId actor) {
        return rows(transaction, actor, PIECES_MAX).thenApply(ActorStates::join);
    }

    /** The recorded state if it is in one piece, as one of several that are read at once. */
    public CompletableFuture<Optional<ActorSnapshot>> readSmall(ReadTransaction transaction, FutureId actor) {
        return rows(transaction, actor, 2)
                .thenApply(rows -> rows.size() > 1 ? Optional.empty() : Optional.of(join(rows)));
    }

    private CompletableFuture<List<KeyValue>> rows(ReadTransaction transaction, FutureId actor, int most) {
        return transaction
                .getRange(keys.actorStates.range(actor.value()), most, false, StreamingMode.WANT_ALL)
                .asList();
    }

    /**
     * Replaces {@code before} by {@code after}, provided that {@code before} still is recorded then. Nothing where they
     * are the same: what a call has only seen may change beside it.
     */
    public Effects change(FutureId actor, ActorSnapshot before, ActorSnapshot after) {
        return after.equals(before) ? Effects.NONE : replacing(actor, before, after);
    }

    /**
     * What an attempt leaves, as it is recorded: where that is too large for the record, its content is to be written
     * in pieces before.
     */
    public static Optional<LargeState> large(FutureId actor, FutureId call, ClaimToken token, ActorSnapshot left) {
        if (left.bytes().size() <= RECORD_BYTES_MAX) {
            return Optional.empty();
        }
        ByteString content = StateImage.of(left.bytes()).content();
        return Optional.of(new LargeState(actor, StatePieces.of(call, token, content), content));
    }

    /** Provided that {@code before} still is recorded. Clears all pieces of the actor but those of {@code after}. */
    public Effects replacing(FutureId actor, ActorSnapshot before, ActorSnapshot after) {
        List<byte[]> old = pieces(before);
        List<byte[]> fresh = pieces(after);
        List<Effects.Entry> writes = new ArrayList<>();
        for (int piece = 0; piece < Math.max(old.size(), fresh.size()); piece++) {
            writes.add(new Effects.Entry(
                    keys.actorStates.key(actor.value(), piece), piece < fresh.size() ? fresh.get(piece) : null));
        }
        Effects.Entry read =
                new Effects.Entry(keys.actorStates.key(actor.value(), 0), old.isEmpty() ? null : old.get(0));
        return new Effects(List.of(read), writes, others(actor, before, after));
    }

    /** Where pieces of other states than {@code after} are, and those that no outcome has named. */
    private List<Range> others(FutureId actor, ActorSnapshot before, ActorSnapshot after) {
        if (!writesPieces() && before.pieces().isEmpty()) {
            return List.of();
        }
        Range all = keys.actorPieces.range(actor.value());
        return after.pieces()
                .map(pieces ->
                        keys.actorPieces.range(pieces.owner(actor.value()).toArray()))
                .map(own -> List.of(new Range(all.begin, own.begin), new Range(own.end, all.end)))
                .orElse(List.of(all));
    }

    private static List<byte[]> pieces(ActorSnapshot snapshot) {
        ByteString whole = snapshot.writer().concat(snapshot.bytes());
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < whole.size(); from += ValueSizes.PIECE_BYTES) {
            pieces.add(whole.substring(from, Math.min(whole.size(), from + ValueSizes.PIECE_BYTES))
                    .toByteArray());
        }
        return pieces;
    }

    /** The last calls, latest last; reads with conflict, which puts the callers of one actor into an order. */
    public CompletableFuture<List<FutureId>> lastCalls(ReadTransaction transaction, FutureId actor) {
        return transaction
                .get(keys.actorCalls.key(actor.value()))
                .thenApply(value -> value == null ? List.of() : decodeCalls(value));
    }

    /** Records the last calls. */
    public void setLastCalls(Transaction transaction, FutureId actor, Collection<FutureId> calls) {
        ByteBuffer value = ByteBuffer.allocate(calls.size() * Ids.BYTES);
        calls.forEach(call -> value.put(Ids.bytes(call).asReadOnlyByteBuffer()));
        keys.actorCalls.set(transaction, value.array(), actor.value());
    }

    /** The last calls as they are recorded. */
    public static List<FutureId> decodeCalls(byte[] value) {
        List<FutureId> calls = new ArrayList<>();
        for (int from = 0; from + Ids.BYTES <= value.length; from += Ids.BYTES) {
            calls.add(Ids.read(value, from));
        }
        return calls;
    }

    private static ActorSnapshot join(List<KeyValue> pieces) {
        ByteString whole = ByteString.EMPTY;
        for (KeyValue piece : pieces) {
            whole = whole.concat(ByteString.copyFrom(piece.getValue()));
        }
        return decode(whole);
    }

    /** The state whose record begins with this; all of it, if it is in pieces beside the record. */
    public static ActorSnapshot decode(byte[] first) {
        return decode(ByteString.copyFrom(first));
    }

    private static ActorSnapshot decode(ByteString whole) {
        return whole.size() < WRITER_BYTES
                ? ActorSnapshot.NONE
                : new ActorSnapshot(whole.substring(0, WRITER_BYTES), whole.substring(WRITER_BYTES));
    }
}
