/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.GivenState;
import dev.ratchet.futures.actor.LargeStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.object.HeldObject;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectLocator.Found;
import dev.ratchet.futures.object.ObjectLocator.Sources;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.RecomputationTime;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gathers what a claimed future needs to run: its code, its argument, the values of its upstreams. Never blocks. */
public final class TaskInputs {

    /** What became of the gathering. */
    sealed interface Gathered {
        /**
         * Everything is here.
         *
         * @param attempts the one at the future, or those at what is in the block
         * @param function is closed with this
         * @param held what of it is in the object store, and stays there until this is closed
         */
        record Ready(List<AttemptGroup.Item> attempts, LoadedFunction function, List<HeldObject> held)
                implements Gathered, AutoCloseable {
            @Override
            public void close() {
                function.close();
                held.forEach(HeldObject::close);
            }
        }

        /** An upstream failed, was cancelled or is unknown. */
        record UpstreamFailed(FutureId upstream, Optional<FutureRecord> record) implements Gathered {}

        /** Values of upstreams are in files of these seats, which have no process now. */
        record UpstreamsAway(List<String> seats) implements Gathered {}

        /** Upstreams have no value now; with each the object that is gone, if it had one. */
        record UpstreamsLost(Map<FutureId, Optional<StoredObject>> upstreams) implements Gathered {}
    }

    /**
     * A future that was claimed by itself.
     *
     * @param lineageMillis what stands behind its upstreams, see {@link RecomputationTime}
     */
    private record Alone(Claimed claimed, TaskCall.Inputs given, long lineageMillis) implements AttemptGroup.Item {
        @Override
        public TaskCall.Inputs inputs(Map<FutureId, Optional<Outcome>> before) {
            return given;
        }

        @Override
        public boolean isClaim() {
            return true;
        }

        @Override
        public Outcome after(Outcome outcome, long runNanos) {
            return RecomputationTime.with(outcome, lineageMillis + runNanos / 1_000_000);
        }
    }

    private final FutureStore store;
    private final PieceStore arguments;
    private final ActorStates actors;
    private final LargeStates states;
    private final CodeCache code;
    private final ObjectLocator locator;
    private final LiveActors live;

    /** @param live states of actors in the memory of this worker */
    public TaskInputs(FutureStore store, CodeCache code, ObjectLocator locator, LiveActors live) {
        this.live = live;
        this.store = store;
        this.arguments = new PieceStore(store, store.keys().arguments);
        this.actors = new ActorStates(store.keys());
        this.states = new LargeStates(store);
        this.code = code;
        this.locator = locator;
    }

    /** Where the states of actors are recorded. */
    ActorStates actorStates() {
        return actors;
    }

    /** Gathers; a failure means that the code can not be had. */
    CompletableFuture<Gathered> gather(Claimed claimed) {
        if (claimed.record().hasBlock()) {
            return store.read(new BlockContent(store.keys(), claimed.id())::arguments)
                    .thenCombine(
                            code.load(claimed.record().getFunction()),
                            (values, function) -> new Gathered.Ready(
                                    BlockRun.items(claimed.id(), claimed.record(), function, values),
                                    function,
                                    List.of()));
        }
        return upstreams(claimed).thenCompose(upstreams -> look(upstreams).thenCompose(sources -> {
            Map<FutureId, Found> missing = new LinkedHashMap<>();
            sources.forEach((id, found) -> locator.missing(id, found).ifPresent(none -> missing.put(id, none)));
            return missing.isEmpty() ? load(claimed, upstreams, sources) : withValues(claimed, upstreams, missing, 0);
        }));
    }

    /** Where each is, before any is moved: while one is made again, all others would be moved in vain. */
    private CompletableFuture<Map<FutureId, Sources>> look(List<FutureId> upstreams) {
        Map<FutureId, CompletableFuture<Sources>> looks = new LinkedHashMap<>();
        upstreams.forEach(id -> looks.computeIfAbsent(id, locator::look));
        return AsyncUtil.whenAll(looks.values()).thenApply(unused -> {
            Map<FutureId, Sources> sources = new LinkedHashMap<>();
            looks.forEach((id, look) -> sources.put(id, look.join()));
            return sources;
        });
    }

    private CompletableFuture<Gathered> load(
            Claimed claimed, List<FutureId> upstreams, Map<FutureId, Sources> sources) {
        boolean isolated = claimed.record().getSchedulingSpec().getIsolated();
        Map<FutureId, CompletableFuture<Found>> loads = new LinkedHashMap<>();
        sources.forEach((id, found) -> loads.put(id, locator.load(id, found, isolated)));
        return AsyncUtil.whenAll(loads.values())
                .thenCompose(unused -> {
                    Map<FutureId, Found> found = new LinkedHashMap<>();
                    loads.forEach((id, load) -> found.put(id, load.join()));
                    return withValues(claimed, upstreams, found, RecomputationTime.millis(sources.values()));
                })
                .whenComplete((gathered, failure) -> {
                    if (!(gathered instanceof Gathered.Ready)) {
                        loads.values().forEach(load -> load.thenAccept(TaskInputs::letGo));
                    }
                });
    }

    private static void letGo(Found found) {
        if (found instanceof Found.Here here) {
            here.object().close();
        }
    }

    private CompletableFuture<List<FutureId>> upstreams(Claimed claimed) {
        return claimed.record().getUpstreams() == 0
                ? CompletableFuture.completedFuture(List.of())
                : store.read(transaction -> store.keys().upstreamsOf(transaction, claimed.id()));
    }

    private CompletableFuture<Gathered> withValues(
            Claimed claimed, List<FutureId> upstreams, Map<FutureId, Found> found, long lineageMillis) {
        Map<FutureId, Serialized> values = new HashMap<>();
        List<HeldObject> held = new ArrayList<>();
        Map<FutureId, Optional<StoredObject>> lost = new LinkedHashMap<>();
        List<String> away = new ArrayList<>();
        for (Map.Entry<FutureId, Found> upstream : found.entrySet()) {
            switch (upstream.getValue()) {
                case Found.Value value -> values.put(upstream.getKey(), Serialized.of(value.bytes()));
                case Found.Here here -> {
                    held.add(here.object());
                    values.put(upstream.getKey(), here.object());
                }
                case Found.Away there -> away.addAll(there.seats());
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
        if (!away.isEmpty()) {
            return CompletableFuture.completedFuture(new Gathered.UpstreamsAway(away));
        }
        return argument(claimed).thenCompose(argument -> code.load(
                        claimed.record().getFunction())
                .thenCompose(function -> actor(claimed, function)
                        .<Gathered>thenApply(actor -> new Gathered.Ready(
                                List.of(new Alone(
                                        claimed,
                                        new TaskCall.Inputs(
                                                function, Serialized.of(argument), upstreams, values, actor, live),
                                        lineageMillis)),
                                function,
                                held))
                        .whenComplete((ready, failure) -> {
                            if (failure != null) {
                                function.close();
                            }
                        })));
    }

    private static boolean isFinal(Optional<FutureRecord> record) {
        return record.isEmpty()
                || switch (record.get().getState()) {
                    case STATE_FAILED, STATE_CANCELLED, STATE_DELETED -> true;
                    default -> false;
                };
    }

    /** A state in memory is not read, but for who looks elsewhere: processes of isolated calls, and copies. */
    private CompletableFuture<GivenState> actor(Claimed claimed, LoadedFunction function) {
        FutureRecord record = claimed.record();
        if (record.getActor().isEmpty()) {
            return CompletableFuture.completedFuture(GivenState.NONE);
        }
        FutureId actor = Ids.of(record.getActor());
        boolean runsOnLive = record.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR
                && !record.getSchedulingSpec().getIsolated();
        return states.read(actor, recorded -> runsOnLive && live.has(actor, recorded, function.classLoader()));
    }

    private CompletableFuture<byte[]> argument(Claimed claimed) {
        FutureRecord record = claimed.record();
        ByteString small = record.getArgument();
        return record.getArgumentChunks() == 0
                ? CompletableFuture.completedFuture(small.toByteArray())
                : arguments.readAll(
                        ArgumentUploads.owner(claimed.id().value(), record),
                        record.getArgumentChunks(),
                        Math.toIntExact(record.getArgumentBytes()));
    }
}
