/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.StatePieces;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The states of actors are whole and were written by calls of theirs, with all pieces that they name and no others but
 * those of calls that are open; the calls behind which the next ones wait are theirs, too. Calls that were removed
 * since are taken at their word.
 */
final class ActorChecks {

    private ActorChecks() {}

    /** The last calls of an actor name that actor. */
    static TableCheck calls(FutureKeys keys) {
        return TableCheck.of(keys.actorCalls, (page, row) -> {
            List<FutureId> calls = ActorStates.decodeCalls(row.value());
            row.require(
                    !calls.isEmpty()
                            && calls.size() <= ActorStates.LAST_CALLS_MAX
                            && calls.size() * Ids.BYTES == row.value().length,
                    "has " + row.value().length + " bytes");
            return AsyncUtil.whenAll(calls.stream()
                    .map(call -> isCall(page, call, actor(row), 0)
                            .thenAccept(own -> row.require(own, "names a future that is no call")))
                    .toList());
        });
    }

    /** A state begins with the attempt that has left it, and lacks no piece. */
    static TableCheck states(FutureKeys keys) {
        return TableCheck.of(keys.actorStates, (page, row) -> {
            Tuple key = row.key();
            long piece = key.getLong(1);
            if (piece > 0) {
                return page.get(keys.actorStates.key(key.getUUID(0), piece - 1))
                        .thenAccept(before -> row.require(
                                before != null && before.length == ValueSizes.PIECE_BYTES,
                                "goes on after a piece that is missing or too short"));
            }
            if (row.value().length < ActorStates.WRITER_BYTES) {
                row.violation("does not say who has left it");
                return CompletableFuture.completedFuture(null);
            }
            long epoch = ByteBuffer.wrap(row.value()).getLong(Ids.BYTES);
            return isCall(page, Ids.read(row.value(), 0), actor(row), epoch)
                    .thenAccept(own -> row.require(own, "was left by no attempt of a call of this actor"))
                    .thenCompose(unused -> lastPiece(keys, page, row));
        });
    }

    /** Each piece is judged by the one before it, so that the last one stands for all. */
    private static CompletableFuture<Void> lastPiece(FutureKeys keys, CheckPage page, CheckedRow row) {
        UUID actor = row.key().getUUID(0);
        return ActorStates.decode(row.value())
                .pieces()
                .map(pieces -> page.exists(
                                keys.actorPieces.key(PieceStore.elements(pieces.owner(actor), pieces.count() - 1)))
                        .thenAccept(there -> row.require(there, "names pieces, and the last is missing")))
                .orElse(CompletableFuture.completedFuture(null));
    }

    /** A piece is of the recorded state and goes on where the one before it ends, or its call has not ended. */
    static TableCheck pieces(FutureKeys keys) {
        return TableCheck.of(keys.actorPieces, (page, row) -> {
            Tuple key = row.key();
            UUID actor = key.getUUID(0);
            int piece = (int) key.getLong(key.size() - 1);
            List<Object> owner = key.getItems().subList(0, key.size() - 1);
            return page.get(keys.actorStates.key(actor, 0)).thenCompose(state -> {
                Optional<StatePieces> named = Optional.ofNullable(state)
                        .flatMap(recorded -> ActorStates.decode(recorded).pieces())
                        .filter(pieces -> pieces.owner(actor).equals(owner));
                return named.isPresent()
                        ? ofState(keys, page, row, named.get(), owner, piece)
                        : ofCall(page, row, new FutureId(key.getUUID(1)));
            });
        });
    }

    private static CompletableFuture<Void> ofState(
            FutureKeys keys, CheckPage page, CheckedRow row, StatePieces pieces, List<Object> owner, int piece) {
        long rest = pieces.bytes() - (long) piece * ValueSizes.PIECE_BYTES;
        row.require(
                row.value().length == Math.min(rest, ValueSizes.PIECE_BYTES),
                "has " + row.value().length + " bytes, and its state has " + rest + " from there on");
        return piece == 0
                ? CompletableFuture.completedFuture(null)
                : page.exists(keys.actorPieces.key(PieceStore.elements(owner, piece - 1)))
                        .thenAccept(before -> row.require(before, "goes on after a piece that is missing"));
    }

    private static CompletableFuture<Void> ofCall(CheckPage page, CheckedRow row, FutureId call) {
        return page.record(call)
                .thenAccept(record -> row.require(
                        record.filter(open -> !Lifecycle.isDone(open.getState()))
                                .isPresent(),
                        "is of no recorded state, and its call is not open: the next sweep clears it"));
    }

    private static ByteString actor(CheckedRow row) {
        return Ids.bytes(new FutureId(row.key().getUUID(0)));
    }

    /** Whether a future is removed, or a call of this actor that has had this epoch. */
    private static CompletableFuture<Boolean> isCall(CheckPage page, FutureId id, ByteString actor, long epoch) {
        return page.record(id)
                .thenApply(record -> record.isEmpty()
                        || (record.get().getActor().equals(actor)
                                && record.get().getEpoch() >= epoch));
    }
}
