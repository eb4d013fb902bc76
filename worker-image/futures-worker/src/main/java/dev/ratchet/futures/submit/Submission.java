/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.execute.SpeculativeAttempts;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Lineage;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.CallOrder;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.LocalityResolver;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.Block;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Records new futures, many in one transaction. A future whose id is known is left alone, so a submit may be repeated
 * after any failure. An upstream that is not done is read with conflict: either this transaction sees its end, or its
 * end sees the new edge.
 */
public final class Submission {

    /** Most futures of one request, blocks not counted. */
    static final int REQUEST_FUTURES_MAX = 1_000;

    /** Most blocks of one request. */
    static final int REQUEST_BLOCKS_MAX = 32;

    /** Most upstreams of all futures of a request: each costs the store about 350 bytes, and a read. */
    static final int REQUEST_UPSTREAMS_MAX = 2 * Dependents.UPSTREAMS_MAX;

    /** Futures and blocks of a request that a thread of the network may work on, on which others wait. */
    private static final int SMALL_REQUEST_MAX = 4;

    private static final int SMALL_ARGUMENT_BYTES = 1_000;

    private final FutureStore store;
    private final Recorder recorder;
    private final Dependents dependents;
    private final Reconstruction reconstruction;
    private final IdleSeats idleSeats;
    private final Members members;
    private final ActorStates actors;

    public Submission(
            FutureStore store,
            Recorder recorder,
            Dependents dependents,
            Reconstruction reconstruction,
            Members members) {
        this.members = members;
        this.actors = new ActorStates(store.keys());
        this.store = store;
        this.recorder = recorder;
        this.dependents = dependents;
        this.reconstruction = reconstruction;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * What has become of a request.
     *
     * @param refusals those that can not be recorded, with the reasons
     * @param done the records of those that are done already
     * @param results of blocks that are done by this very request
     */
    public record Submitted(
            List<Refusal> refusals, Map<FutureId, FutureRecord> done, Map<FutureId, List<ResultRun>> results) {

        /** That of this request and of another one. */
        public Submitted and(Submitted other) {
            List<Refusal> allRefusals = new ArrayList<>(refusals);
            allRefusals.addAll(other.refusals());
            Map<FutureId, FutureRecord> allDone = new LinkedHashMap<>(done);
            allDone.putAll(other.done());
            Map<FutureId, List<ResultRun>> allResults = new LinkedHashMap<>(results);
            allResults.putAll(other.results());
            return new Submitted(allRefusals, allDone, allResults);
        }
    }

    /**
     * Records what can be recorded.
     *
     * @param waiter seat whose clients are to be told of the outcomes, if any
     */
    public CompletableFuture<Submitted> submit(SubmitRequest request, Optional<String> waiter) {
        return submit(request, waiter, SpeculativeAttempts.NONE);
    }

    /** As {@link #submit(SubmitRequest, Optional)}, together with attempts that were made before. */
    public CompletableFuture<Submitted> submit(
            SubmitRequest request, Optional<String> waiter, SpeculativeAttempts early) {
        AtomicBoolean again = new AtomicBoolean();
        return store.run(futures -> {
            if (!again.getAndSet(true)) {
                early.readWhereTheyBegan(futures.transaction());
            }
            return record(futures, request, waiter, early);
        });
    }

    /**
     * As the other one for a request that was never made before, all of whose futures are realized, have ids that were
     * drawn for it, and need nothing but each other: nothing has to be read, so that the commit is all there is.
     */
    public CompletableFuture<Submitted> submitNew(
            SubmitRequest request, Optional<String> waiter, SpeculativeAttempts early) {
        return store.runOnce(early::fenceAsLastRead, isSmall(request), futures -> {
                    request.getFuturesList().forEach(future -> futures.assumeUnknown(Ids.of(future.getId())));
                    request.getBlocksList()
                            .forEach(block -> futures.assumeUnknown(
                                    Ids.of(block.getCommon().getId())));
                    return record(futures, request, waiter, early, CompletableFuture.completedFuture(null), true);
                })
                .thenCompose(submitted -> submitted
                        .map(CompletableFuture::completedFuture)
                        .orElseGet(() -> submit(request, waiter, early)));
    }

    /** Whether a thread of the network may work on a request. */
    public static boolean isSmall(SubmitRequest request) {
        return request.getFuturesCount() + request.getBlocksCount() <= SMALL_REQUEST_MAX;
    }

    /** One try at that, within a transaction. */
    CompletableFuture<Submitted> record(
            FutureTransaction futures, SubmitRequest request, Optional<String> waiter, SpeculativeAttempts early) {
        return record(futures, request, waiter, early, CompletableFuture.completedFuture(null), false);
    }

    /** The same where somebody is still being asked whether it may be: writes nothing before {@code allowed}. */
    CompletableFuture<Submitted> record(
            FutureTransaction futures, SubmitRequest request, CompletableFuture<Void> allowed) {
        return record(futures, request, Optional.empty(), SpeculativeAttempts.NONE, allowed, false);
    }

    /**
     * @param allowed fails where it must not be recorded
     * @param isNew nothing of it is recorded, and the transaction is fenced
     */
    private CompletableFuture<Submitted> record(
            FutureTransaction futures,
            SubmitRequest request,
            Optional<String> waiter,
            SpeculativeAttempts early,
            CompletableFuture<Void> allowed,
            boolean isNew) {
        if (request.getFuturesCount() > REQUEST_FUTURES_MAX
                || request.getBlocksCount() > REQUEST_BLOCKS_MAX
                || upstreams(request) > REQUEST_UPSTREAMS_MAX) {
            return CompletableFuture.failedFuture(tooMuch(request));
        }
        Map<FutureId, String> refused = new LinkedHashMap<>();
        Map<FutureId, SubmittedFuture> submitted = RequestRefusals.accepted(request.getFuturesList(), refused);
        Map<FutureId, SubmittedBlock> blocks = blocks(request, refused);
        Set<FutureId> asked = new LinkedHashSet<>(submitted.keySet());
        asked.addAll(blocks.keySet());
        Set<FutureId> involved = involved(asked, submitted);
        CompletableFuture<Void> fenced = isNew
                ? allowed
                : CompletableFuture.allOf(
                        allowed,
                        early.fence(futures.transaction()),
                        SubmittedBlocks.refuseTaken(futures, blocks, refused));
        CompletableFuture<NewSessionFutures> sessions = NewSessionFutures.read(futures, submitted.values());
        CompletableFuture<UploadedArguments> uploads = UploadedArguments.read(futures, submitted.values());
        CompletableFuture<List<SubmittedFunction>> code =
                SubmittedFunctions.unstored(futures.transaction(), store.keys(), request.getFunctionsList());
        CompletableFuture<Set<ByteString>> cancelled = Parents.cancelled(futures, submitted.values());
        early.runs().forEach(run -> run.prefetch(actors, futures));
        Optional<CompletableFuture<List<KeyValue>>> idle =
                mayQueue(request, early) ? Optional.of(idleSeats.look(futures.transaction())) : Optional.empty();
        return lastCalls(futures, submitted.values()).thenCompose(calls -> {
            calls.values().forEach(involved::addAll);
            return futures.loadAll(involved)
                    .thenCombine(fenced, (loaded, unused) -> loaded)
                    .thenCombine(sessions, (loaded, unused) -> loaded)
                    .thenCombine(CompletableFuture.allOf(uploads, code), (loaded, unused) -> loaded)
                    .thenCombine(cancelled, (loaded, parents) -> {
                        code.join().forEach(function -> writeFunction(futures, function));
                        Map<FutureId, LoadedFuture> known = known(loaded);
                        blocks.keySet().removeAll(refused.keySet());
                        RequestRefusals.refuse(submitted, blocks.keySet(), known, parents, refused);
                        return known;
                    })
                    .thenCompose(known -> {
                        CompletableFuture<SpeculativeAttempts> counting =
                                early.counting(actors, futures, calls, known, refused.keySet());
                        return unschedulable(futures, submitted)
                                .thenCombine(counting, (unschedulable, attempts) -> {
                                    Creation creation = new Creation(
                                            request,
                                            submitted,
                                            unschedulable,
                                            calls,
                                            waiter,
                                            attempts,
                                            sessions.join(),
                                            uploads.join());
                                    blocks.forEach((id, block) -> create(futures, creation, block, known, asked));
                                    return create(futures, creation, known, refused);
                                })
                                .thenCompose(created -> created)
                                .thenCompose(unused -> idle.map(seen -> idleSeats.wake(futures, seen))
                                        .orElseGet(() -> idleSeats.wake(futures)))
                                .thenApply(unused ->
                                        new Submitted(refusals(refused), done(asked, known), futures.blockResults()));
                    });
        });
    }

    /** The blocks of a request that can be recorded; what is wrong with the others goes to {@code refused}. */
    private static Map<FutureId, SubmittedBlock> blocks(SubmitRequest request, Map<FutureId, String> refused) {
        Map<FutureId, SubmittedBlock> blocks = new LinkedHashMap<>();
        for (SubmittedBlock block : request.getBlocksList()) {
            FutureId id = Ids.of(block.getCommon().getId());
            SubmittedBlocks.problem(block)
                    .or(() -> RequestRefusals.problem(block.getCommon()))
                    .ifPresentOrElse(problem -> refused.put(id, problem), () -> blocks.put(id, block));
        }
        return blocks;
    }

    private static Set<FutureId> involved(Set<FutureId> asked, Map<FutureId, SubmittedFuture> submitted) {
        Set<FutureId> involved = new LinkedHashSet<>(asked);
        submitted.values().forEach(future -> involved.addAll(related(future)));
        submitted.keySet().stream()
                .filter(BlockIds::isInBlock)
                .map(BlockIds::blockOf)
                .forEach(involved::add);
        return involved;
    }

    private static IllegalArgumentException tooMuch(SubmitRequest request) {
        return new IllegalArgumentException("A request has at most " + REQUEST_FUTURES_MAX + " futures with "
                + REQUEST_UPSTREAMS_MAX + " upstreams in all and " + REQUEST_BLOCKS_MAX + " blocks, not "
                + request.getFuturesCount() + " with " + upstreams(request) + " and " + request.getBlocksCount());
    }

    /** Whether it is likely that something of a request can run at once, on a worker that is to be woken. */
    private static boolean mayQueue(SubmitRequest request, SpeculativeAttempts early) {
        return early.outcomes().isEmpty()
                && (request.getBlocksCount() > 0
                        || request.getFuturesList().stream()
                                .anyMatch(future -> !future.hasValue() && future.getUpstreamsCount() == 0));
    }

    /** How many upstreams the futures of a request have in all. */
    static int upstreams(SubmitRequest request) {
        return request.getFuturesList().stream()
                .mapToInt(SubmittedFuture::getUpstreamsCount)
                .sum();
    }

    /** The last recorded calls of each actor that is called. */
    private CompletableFuture<Map<ByteString, List<FutureId>>> lastCalls(
            FutureTransaction futures, Collection<SubmittedFuture> submitted) {
        Map<ByteString, CompletableFuture<List<FutureId>>> reads = new LinkedHashMap<>();
        for (SubmittedFuture future : submitted) {
            if (!future.getActor().isEmpty()) {
                reads.computeIfAbsent(
                        future.getActor(), actor -> actors.lastCalls(futures.transaction(), Ids.of(actor)));
            }
        }
        return AsyncUtil.whenAll(reads.values()).thenApply(unused -> {
            Map<ByteString, List<FutureId>> calls = new LinkedHashMap<>();
            reads.forEach((actor, read) -> calls.put(actor, read.join()));
            return calls;
        });
    }

    private static List<FutureId> related(SubmittedFuture future) {
        List<FutureId> related = new ArrayList<>();
        future.getUpstreamsList().forEach(id -> related.add(Ids.of(id)));
        if (future.getSchedulingSpec().getLocality().hasNear()) {
            related.add(Ids.of(future.getSchedulingSpec().getLocality().getNear()));
        }
        return related;
    }

    private static Map<FutureId, LoadedFuture> known(List<LoadedFuture> loaded) {
        Map<FutureId, LoadedFuture> known = new LinkedHashMap<>();
        loaded.forEach(future -> known.put(future.id(), future));
        return known;
    }

    void writeFunction(FutureTransaction futures, SubmittedFunction function) {
        byte[] digest = function.getDigest().toByteArray();
        store.keys().functions.set(futures.transaction(), function.getCode(), (Object) digest);
    }

    /** What is to be created, and how. */
    private record Creation(
            SubmitRequest request,
            Map<FutureId, SubmittedFuture> submitted,
            Map<FutureId, String> unschedulable,
            Map<ByteString, List<FutureId>> calls,
            Optional<String> waiter,
            SpeculativeAttempts early,
            NewSessionFutures sessions,
            UploadedArguments uploads) {}

    private static Map<FutureId, FutureRecord> done(Set<FutureId> asked, Map<FutureId, LoadedFuture> known) {
        Map<FutureId, FutureRecord> done = new LinkedHashMap<>();
        for (FutureId id : asked) {
            LoadedFuture future = known.get(id);
            if (future != null && Lifecycle.isDone(future.state())) {
                done.put(id, future.record().build());
            }
        }
        return done;
    }

    /**
     * Creates a block, unless it is known. What leaves it at once and is done is added to {@code known} and asked for.
     */
    private void create(
            FutureTransaction futures,
            Creation creation,
            SubmittedBlock block,
            Map<FutureId, LoadedFuture> known,
            Set<FutureId> asked) {
        FutureId id = Ids.of(block.getCommon().getId());
        if (known.containsKey(id)) {
            return;
        }
        LoadedFuture future = futures.create(
                id,
                record(creation, block.getCommon()).setBlock(Block.newBuilder().setFutures(block.getFutures())));
        known.put(id, future);
        if (!creation.early().hasEnded(future)) {
            new BlockContent(store.keys(), id).setArguments(futures.transaction(), block.getArgumentsList());
            future.change().setArgumentChunks(1);
        }
        boolean recorded = creation.early().record(futures, future, block.getArgumentsList(), left -> {
            known.put(left.id(), left);
            asked.add(left.id());
        });
        if (!recorded) {
            futures.ready(future, Event.SUBMIT);
        }
    }

    private CompletableFuture<Void> create(
            FutureTransaction futures,
            Creation creation,
            Map<FutureId, LoadedFuture> known,
            Map<FutureId, String> refused) {
        List<LoadedFuture> failed = new ArrayList<>();
        for (Map.Entry<FutureId, SubmittedFuture> entry : creation.submitted().entrySet()) {
            FutureId id = entry.getKey();
            if (known.containsKey(id)) {
                Optional.ofNullable(known.get(id))
                        .ifPresent(
                                before -> Holders.add(before, entry.getValue().getClient()));
                continue;
            }
            Set<FutureId> upstreams = RequestRefusals.upstreams(entry.getValue());
            if (refused.containsKey(id) || RequestRefusals.isUnknown(upstreams, known.keySet(), id, refused)) {
                continue;
            }
            String reason = creation.unschedulable().get(id);
            if (reason != null) {
                refused.put(id, reason);
                continue;
            }
            LoadedFuture future = futures.create(id, record(creation, entry.getValue()));
            known.put(id, future);
            write(futures, future, entry.getValue());
            if (creation.sessions().doom(future)) {
                recorder.done(futures, future);
                continue;
            }
            if (entry.getValue().hasValue()) {
                ValueRegistration.realize(
                        future,
                        Result.newBuilder()
                                .setInline(entry.getValue().getValue())
                                .build());
                recorder.done(futures, future);
                continue;
            }
            CallOrder.Place place = place(creation, future, known);
            boolean ran = creation.early().record(futures, future, List.of(), left -> {});
            if (ran) {
                takePlace(futures, creation, future, place);
                continue;
            }
            List<LoadedFuture> sources = upstreams.stream()
                    .flatMap(upstream -> Optional.ofNullable(known.get(upstream)).stream())
                    .toList();
            List<LoadedFuture> near = related(entry.getValue()).stream()
                    .flatMap(other -> Optional.ofNullable(known.get(other)).stream())
                    .toList();
            connect(futures, future, sources, place, near, failed);
            if (!Lifecycle.isDone(future.state())) {
                takePlace(futures, creation, future, place);
            }
        }
        noteUnused(futures, creation, known);
        return dependents.release(futures, failed).thenApply(unused -> null);
    }

    /** Where a new future comes in the line of the calls of its actor. */
    private static CallOrder.Place place(Creation creation, LoadedFuture future, Map<FutureId, LoadedFuture> known) {
        if (future.record().getActor().isEmpty()) {
            return CallOrder.Place.NONE;
        }
        List<LoadedFuture> last = creation.calls().getOrDefault(future.record().getActor(), List.of()).stream()
                .flatMap(call -> Optional.ofNullable(known.get(call)).stream())
                .toList();
        return CallOrder.place(future, last);
    }

    /** Makes a call one of those behind which the next ones of its actor queue. */
    private void takePlace(FutureTransaction futures, Creation creation, LoadedFuture future, CallOrder.Place place) {
        if (future.record().getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR) {
            ByteString actor = future.record().getActor();
            List<FutureId> last = new ArrayList<>(place.last());
            last.add(future.id());
            creation.calls().put(actor, last);
            actors.setLastCalls(futures.transaction(), Ids.of(actor), last);
        }
    }

    /** Code that came with futures that were not created: refused, or known before. */
    private static void noteUnused(FutureTransaction futures, Creation creation, Map<FutureId, LoadedFuture> known) {
        Set<ByteString> used = new LinkedHashSet<>();
        known.values().forEach(future -> used.add(future.record().getFunction()));
        creation.request().getFunctionsList().stream()
                .map(SubmittedFunction::getDigest)
                .filter(digest -> !used.contains(digest))
                .forEach(futures::mayBeUnused);
    }

    /** What no member can do, by the members at the version of this transaction. */
    private CompletableFuture<Map<FutureId, String>> unschedulable(
            FutureTransaction futures, Map<FutureId, SubmittedFuture> submitted) {
        Map<FutureId, SubmittedFuture> asked = new LinkedHashMap<>(submitted);
        asked.values()
                .removeIf(future -> Demand.of(future.getSchedulingSpec()).isModest()
                        || future.getSchedulingSpec().getRequirements().getWaitForCapacity());
        return asked.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : Schedulability.unschedulable(futures, members, asked);
    }

    private FutureRecord.Builder record(Creation creation, SubmittedFuture future) {
        FutureRecord.Builder record = FutureRecord.newBuilder()
                .setName(future.getName())
                .setJob(future.getJob())
                .setFunction(future.getFunction())
                .setArgumentKind(future.getArgumentKind())
                .setArgumentChunks(future.getArgumentChunks())
                .setArgumentBytes(future.getArgumentBytes())
                .setUpstreams(future.getUpstreamsCount())
                .setArgumentUpstreams(future.getArgumentUpstreams())
                .setMaxRetries(future.getMaxRetries())
                .setSubmittedWallMillis(store.environment().wallClockMillis())
                .setParent(future.getParent())
                .setActor(future.getActor())
                .setSchedulingSpec(future.getSchedulingSpec());
        record.setPartition(SchedulingSpecs.partition(record));
        if (future.getSchedulingSpec().getDelayMillis() > 0) {
            record.setNotBeforeWallMillis(
                    record.getSubmittedWallMillis() + future.getSchedulingSpec().getDelayMillis());
        }
        creation.sessions().bind(record);
        creation.uploads().name(future, record);
        record.setAssignedSeat(record.getSchedulingSpec().getLocality().getSeat());
        if (future.getSchedulingSpec().getShortTask()) {
            record.setNumAttempts(Math.clamp(creation.request().getLostAttempts(), 0, 1 + future.getMaxRetries()));
        }
        creation.waiter().ifPresent(record::addWaiters);
        if (!future.getClient().isEmpty()) {
            record.addClients(future.getClient());
        }
        return record;
    }

    /** Small arguments stay in the record, which is rewritten a few times; others get a value of their own. */
    private void write(FutureTransaction futures, LoadedFuture future, SubmittedFuture submitted) {
        FutureKeys keys = store.keys();
        ByteString argument = submitted.getArgument();
        if (argument.size() <= SMALL_ARGUMENT_BYTES) {
            future.change().setArgument(argument);
        } else {
            future.change().setArgumentChunks(1).setArgumentBytes(argument.size());
            keys.arguments.set(
                    futures.transaction(), argument.toByteArray(), future.id().value(), 0);
        }
        if (submitted.getUpstreamsCount() > 0) {
            List<FutureId> upstreams =
                    submitted.getUpstreamsList().stream().map(Ids::of).toList();
            new Lineage(keys).connect(futures.transaction(), future.id(), upstreams);
        }
        if (!submitted.getParent().isEmpty()) {
            UUID parent = Ids.of(submitted.getParent()).value();
            keys.children.set(
                    futures.transaction(),
                    FutureKeys.PRESENT,
                    parent,
                    future.id().value());
        }
    }

    private void connect(
            FutureTransaction futures,
            LoadedFuture future,
            List<LoadedFuture> upstreams,
            CallOrder.Place place,
            List<LoadedFuture> near,
            List<LoadedFuture> failed) {
        for (LoadedFuture upstream : upstreams) {
            if (reconstruction.revive(futures, upstream, Optional.empty())) {
                failed.add(upstream);
            }
        }
        Optional<LoadedFuture> doomedBy = upstreams.stream()
                .filter(upstream -> Lifecycle.isDone(upstream.state()) && upstream.state() != State.STATE_REALIZED)
                .findFirst();
        if (doomedBy.isPresent()) {
            future.apply(Event.SUBMIT_DOOMED);
            future.change()
                    .setFailure(Failures.ofUpstream(
                            doomedBy.get().id(),
                            Optional.of(doomedBy.get().record().build()),
                            ""));
            recorder.done(futures, future);
            return;
        }
        List<LoadedFuture> open = Stream.concat(upstreams.stream(), place.behind().stream())
                .filter(upstream -> !Lifecycle.isDone(upstream.state()))
                .distinct()
                .toList();
        if (open.isEmpty()) {
            LocalityResolver.assignNear(future, near);
            LocalityResolver.assignToHost(future, place.host());
            futures.ready(future, Event.SUBMIT);
        } else {
            future.apply(Event.SUBMIT_WAITING);
            open.forEach(upstream -> dependents.connect(futures.transaction(), future.id(), upstream.id()));
        }
    }

    private static List<Refusal> refusals(Map<FutureId, String> refused) {
        List<Refusal> refusals = new ArrayList<>();
        refused.forEach((id, message) -> refusals.add(
                Refusal.newBuilder().setId(Ids.bytes(id)).setMessage(message).build()));
        return refusals;
    }
}
