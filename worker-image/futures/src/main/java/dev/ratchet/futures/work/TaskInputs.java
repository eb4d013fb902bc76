/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.Snapshot;
import dev.ratchet.futures.code.CodeCache;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.PieceStore;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectLocator.Found;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Gathers what a claimed future needs to run: its code, its argument, the values of its upstreams. Never blocks. */
final class TaskInputs {

    /** What became of the gathering. */
    sealed interface Gathered {
        /** Everything is here. */
        record Ready(
                LoadedFunction function,
                byte[] argument,
                List<FutureId> upstreams,
                Map<FutureId, byte[]> values,
                Snapshot actor)
                implements Gathered {}

        /** An upstream failed, was cancelled or is unknown. */
        record UpstreamFailed(FutureId upstream, Optional<FutureRecord> record) implements Gathered {}

        /** Upstreams have no value now; with each the object that is gone, if it had one. */
        record UpstreamsLost(Map<FutureId, Optional<StoredObject>> upstreams) implements Gathered {}
    }

    private final FutureStore store;
    private final PieceStore arguments;
    private final ActorStates actors;
    private final CodeCache code;
    private final ObjectLocator locator;

    TaskInputs(FutureStore store, CodeCache code, ObjectLocator locator) {
        this.store = store;
        this.arguments = new PieceStore(store, store.keys().arguments);
        this.actors = new ActorStates(store.keys());
        this.code = code;
        this.locator = locator;
    }

    /** Where the states of actors are recorded. */
    ActorStates actorStates() {
        return actors;
    }

    /** Gathers; a failure means that the code can not be had. */
    CompletableFuture<Gathered> gather(Claimed claimed) {
        return upstreams(claimed).thenCompose(upstreams -> {
            Set<FutureId> distinct = new LinkedHashSet<>(upstreams);
            Map<FutureId, CompletableFuture<Found>> loads = new LinkedHashMap<>();
            distinct.forEach(id -> loads.put(id, locator.load(id)));
            return CompletableFuture.allOf(loads.values().toArray(CompletableFuture[]::new))
                    .thenCompose(unused -> {
                        Map<FutureId, Found> found = new LinkedHashMap<>();
                        loads.forEach((id, load) -> found.put(id, load.join()));
                        return withValues(claimed, upstreams, found);
                    });
        });
    }

    private CompletableFuture<List<FutureId>> upstreams(Claimed claimed) {
        return claimed.record().getUpstreams() == 0
                ? CompletableFuture.completedFuture(List.of())
                : store.read(transaction -> store.keys().upstreamsOf(transaction, claimed.id()));
    }

    private CompletableFuture<Gathered> withValues(
            Claimed claimed, List<FutureId> upstreams, Map<FutureId, Found> found) {
        Map<FutureId, byte[]> values = new HashMap<>();
        Map<FutureId, Optional<StoredObject>> lost = new LinkedHashMap<>();
        for (Map.Entry<FutureId, Found> upstream : found.entrySet()) {
            switch (upstream.getValue()) {
                case Found.Value value -> values.put(upstream.getKey(), value.bytes());
                case Found.Lost gone ->
                    lost.put(
                            upstream.getKey(),
                            Optional.of(gone.record().getResult().getObject()));
                case Found.Absent absent -> {
                    if (isFinal(absent.record())) {
                        return CompletableFuture.completedFuture(
                                new Gathered.UpstreamFailed(upstream.getKey(), absent.record()));
                    }
                    lost.put(upstream.getKey(), Optional.empty());
                }
            }
        }
        if (!lost.isEmpty()) {
            return CompletableFuture.completedFuture(new Gathered.UpstreamsLost(lost));
        }
        return argument(claimed)
                .thenCombine(actor(claimed), (argument, actor) -> code.load(
                                claimed.record().getFunction())
                        .<Gathered>thenApply(
                                function -> new Gathered.Ready(function, argument, upstreams, values, actor)))
                .thenCompose(ready -> ready);
    }

    private static boolean isFinal(Optional<FutureRecord> record) {
        return record.isEmpty()
                || switch (record.get().getState()) {
                    case STATE_FAILED, STATE_CANCELLED, STATE_DELETED -> true;
                    default -> false;
                };
    }

    private CompletableFuture<Snapshot> actor(Claimed claimed) {
        return claimed.record().getActor().isEmpty()
                ? CompletableFuture.completedFuture(Snapshot.NONE)
                : store.read(transaction ->
                        actors.read(transaction, Ids.of(claimed.record().getActor())));
    }

    private CompletableFuture<byte[]> argument(Claimed claimed) {
        FutureRecord record = claimed.record();
        ByteString small = record.getArgument();
        return record.getArgumentChunks() == 0
                ? CompletableFuture.completedFuture(small.toByteArray())
                : arguments.readAll(
                        claimed.id().value(), record.getArgumentChunks(), Math.toIntExact(record.getArgumentBytes()));
    }
}
