/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
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
import dev.ratchet.store.keyspace.Table;
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
    record Calls(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.actorCalls;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            List<FutureId> calls = ActorStates.decodeCalls(row.getValue());
            page.require(
                    !calls.isEmpty()
                            && calls.size() <= ActorStates.LAST_CALLS_MAX
                            && calls.size() * Ids.BYTES == row.getValue().length,
                    keys.actorCalls,
                    row.getKey(),
                    "has " + row.getValue().length + " bytes");
            return CompletableFuture.allOf(calls.stream()
                    .map(call -> isCall(page, call, actor(keys.actorCalls, row), 0)
                            .thenAccept(own ->
                                    page.require(own, keys.actorCalls, row.getKey(), "names a future that is no call")))
                    .toArray(CompletableFuture[]::new));
        }
    }

    /** A state begins with the attempt that has left it, and lacks no piece. */
    record States(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.actorStates;
        }

        @Override
        public int pageRows() {
            return PAGE_PIECES;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.actorStates.elements(row.getKey());
            long piece = key.getLong(1);
            if (piece > 0) {
                return page.get(keys.actorStates.key(key.getUUID(0), piece - 1))
                        .thenAccept(before -> page.require(
                                before != null && before.length == ValueSizes.PIECE_BYTES,
                                keys.actorStates,
                                row.getKey(),
                                "goes on after a piece that is missing or too short"));
            }
            if (row.getValue().length < ActorStates.WRITER_BYTES) {
                page.violation(keys.actorStates, row.getKey(), "does not say who has left it");
                return CompletableFuture.completedFuture(null);
            }
            long epoch = ByteBuffer.wrap(row.getValue()).getLong(Ids.BYTES);
            return isCall(page, Ids.read(row.getValue(), 0), actor(keys.actorStates, row), epoch)
                    .thenAccept(own -> page.require(
                            own, keys.actorStates, row.getKey(), "was left by no attempt of a call of this actor"))
                    .thenCompose(unused -> lastPiece(page, row));
        }

        /** Each piece is judged by the one before it, so that the last one stands for all. */
        private CompletableFuture<Void> lastPiece(CheckPage page, KeyValue row) {
            UUID actor = keys.actorStates.elements(row.getKey()).getUUID(0);
            return ActorStates.decode(row.getValue())
                    .pieces()
                    .map(pieces -> page.exists(
                                    keys.actorPieces.key(PieceStore.elements(pieces.owner(actor), pieces.count() - 1)))
                            .thenAccept(there -> page.require(
                                    there, keys.actorStates, row.getKey(), "names pieces, and the last is missing")))
                    .orElse(CompletableFuture.completedFuture(null));
        }
    }

    /** A piece is of the recorded state and goes on where the one before it ends, or its call has not ended. */
    record Pieces(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.actorPieces;
        }

        @Override
        public int pageRows() {
            return PAGE_PIECES / 2; // the one before each is read with it
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.actorPieces.elements(row.getKey());
            UUID actor = key.getUUID(0);
            int piece = (int) key.getLong(key.size() - 1);
            List<Object> owner = key.getItems().subList(0, key.size() - 1);
            return page.get(keys.actorStates.key(actor, 0)).thenCompose(state -> {
                Optional<StatePieces> named = Optional.ofNullable(state)
                        .flatMap(recorded -> ActorStates.decode(recorded).pieces())
                        .filter(pieces -> pieces.owner(actor).equals(owner));
                return named.isPresent()
                        ? ofState(page, row, named.get(), owner, piece)
                        : ofCall(page, row, new FutureId(key.getUUID(1)));
            });
        }

        private CompletableFuture<Void> ofState(
                CheckPage page, KeyValue row, StatePieces pieces, List<Object> owner, int piece) {
            long rest = pieces.bytes() - (long) piece * ValueSizes.PIECE_BYTES;
            page.require(
                    row.getValue().length == Math.min(rest, ValueSizes.PIECE_BYTES),
                    keys.actorPieces,
                    row.getKey(),
                    "has " + row.getValue().length + " bytes, and its state has " + rest + " from there on");
            return piece == 0
                    ? CompletableFuture.completedFuture(null)
                    : page.exists(keys.actorPieces.key(PieceStore.elements(owner, piece - 1)))
                            .thenAccept(before -> page.require(
                                    before, keys.actorPieces, row.getKey(), "goes on after a piece that is missing"));
        }

        private CompletableFuture<Void> ofCall(CheckPage page, KeyValue row, FutureId call) {
            return page.record(call)
                    .thenAccept(record -> page.require(
                            record.filter(open -> !Lifecycle.isDone(open.getState()))
                                    .isPresent(),
                            keys.actorPieces,
                            row.getKey(),
                            "is of no recorded state, and its call is not open: the next sweep clears it"));
        }
    }

    private static ByteString actor(Table<?> table, KeyValue row) {
        return Ids.bytes(new FutureId(table.elements(row.getKey()).getUUID(0)));
    }

    /** Whether a future is removed, or a call of this actor that has had this epoch. */
    private static CompletableFuture<Boolean> isCall(CheckPage page, FutureId id, ByteString actor, long epoch) {
        return page.record(id)
                .thenApply(record -> record.isEmpty()
                        || (record.get().getActor().equals(actor)
                                && record.get().getEpoch() >= epoch));
    }
}
