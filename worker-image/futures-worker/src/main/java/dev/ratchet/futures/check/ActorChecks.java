/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The states of actors are whole and were written by calls of theirs; the calls behind which the next ones wait are
 * theirs, too. Calls that were removed since are taken at their word.
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
                            own, keys.actorStates, row.getKey(), "was left by no attempt of a call of this actor"));
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
