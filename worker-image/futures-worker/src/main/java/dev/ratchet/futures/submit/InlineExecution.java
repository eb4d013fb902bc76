/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.GivenState;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.execute.AttemptGroup;
import dev.ratchet.futures.execute.BlockRun;
import dev.ratchet.futures.execute.RunTimes;
import dev.ratchet.futures.execute.SpeculativeAttempts;
import dev.ratchet.futures.execute.SpeculativeCalls;
import dev.ratchet.futures.execute.SpeculativeRun;
import dev.ratchet.futures.execute.WorkLoop;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.futures.submit.Submission.Submitted;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Block;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs short futures on the worker that is asked to record them, and records submit, claim and outcome in one
 * transaction. Nothing is acknowledged before that, so a crash loses nothing that anybody was told of: the client, who
 * waits, submits again. What turns out to take long is recorded as claimed while it runs, and what has not started by
 * then is queued for everybody.
 */
public final class InlineExecution {

    /** Requests, or groups of them, that are under way at once: while one is recorded another one runs. */
    private static final int GROUPS_PER_THREAD = 2;

    /** First epoch of a future. */
    private static final long EPOCH = 1;

    private final Environment environment;
    private final Seat seat;
    private final CodeCache code;
    private final Submission submission;
    private final Recorder recorder;
    private final WorkLoop loop;
    private final RunTimes runTimes;
    private final SpeculativeCalls calls;
    private final RecentValues recent = new RecentValues();
    private final SubmitGroups groups;
    private final Speculation speculation;

    /**
     * @param recorder records outcomes in the name of this seat
     * @param threads how many groups of attempts can run at once
     */
    public InlineExecution(
            Environment environment,
            Seat seat,
            CodeCache code,
            Submission submission,
            Recorder recorder,
            WorkLoop loop,
            RunTimes runTimes,
            SpeculativeCalls calls,
            WorkCounters counters,
            int threads) {
        this.calls = calls;
        this.speculation = new Speculation(seat, counters);
        this.environment = environment;
        this.seat = seat;
        this.code = code;
        this.submission = submission;
        this.recorder = recorder;
        this.loop = loop;
        this.runTimes = runTimes;
        this.groups = new SubmitGroups(
                this::recordTogether, submission::submit, GROUPS_PER_THREAD * threads, environment.executor());
    }

    /**
     * Records a request, and runs first what is short, if this worker has a free slot.
     *
     * @param client is told of values between their run and their record, where the request asks for that
     */
    public CompletableFuture<Submitted> submit(
            SubmitRequest request, Optional<String> waiter, SpeculativeValues client) {
        boolean mayRun = request.getMayRunFirst()
                && (request.getFuturesList().stream().anyMatch(this::isSimple)
                        || request.getBlocksList().stream()
                                .map(SubmittedBlock::getCommon)
                                .anyMatch(this::isSimple));
        return mayRun ? groups.submit(request, waiter, client) : submission.submit(request, waiter);
    }

    /** How many requests wait for the next transaction; to be published. */
    public Metric waiting() {
        return Metric.gauge("futures_requests_waiting", "Submits that wait to be recorded", groups::waiting);
    }

    private CompletableFuture<Submitted> recordTogether(
            SubmitRequest request, Optional<String> waiter, SpeculativeValues client) {
        boolean mayRun = loop.takesGroups();
        List<SubmittedFuture> futures = mayRun ? eligible(request.getFuturesList()) : List.of();
        List<SubmittedBlock> blocks = mayRun
                ? request.getBlocksList().stream()
                        .filter(block -> isSimple(block.getCommon()))
                        .toList()
                : List.of();
        if (futures.isEmpty() && blocks.isEmpty()) {
            return submission.submit(request, waiter);
        }
        for (SubmittedFunction function : request.getFunctionsList()) {
            code.offer(function.getDigest(), function.getCode());
        }
        Map<ByteString, CompletableFuture<LoadedFunction>> functions = new HashMap<>();
        futures.forEach(future -> functions.computeIfAbsent(future.getFunction(), code::load));
        blocks.forEach(block -> functions.computeIfAbsent(block.getCommon().getFunction(), code::load));
        return AsyncUtil.whenAll(functions.values())
                .handle((unused, unloadable) -> {
                    if (unloadable != null) {
                        functions.values().forEach(load -> load.thenAccept(LoadedFunction::close));
                        return submission.submit(request, waiter);
                    }
                    Map<ByteString, LoadedFunction> loaded = new HashMap<>();
                    functions.forEach((digest, load) -> loaded.put(digest, load.join()));
                    return calls.inTurn(futures, turn -> run(request, waiter, client, futures, blocks, loaded, turn));
                })
                .thenCompose(submitted -> submitted);
    }

    private CompletableFuture<Submitted> run(
            SubmitRequest request,
            Optional<String> waiter,
            SpeculativeValues client,
            List<SubmittedFuture> futures,
            List<SubmittedBlock> blocks,
            Map<ByteString, LoadedFunction> functions,
            SpeculativeCalls.Turn turn) {
        ClaimToken token = ClaimToken.newBuilder()
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .setEpoch(EPOCH)
                .setNonce(environment.random().nextLong())
                .build();
        List<AttemptGroup.Item> items = new ArrayList<>();
        for (SubmittedFuture future : futures) {
            Optional<SpeculativeCalls.Line> line = turn.line(future.getActor());
            if (future.getActor().isEmpty() || line.isPresent()) {
                items.add(new SpeculativeItem(
                        new Claimed(Ids.of(future.getId()), record(request, future, token)),
                        future,
                        Objects.requireNonNull(functions.get(future.getFunction())),
                        line,
                        turn.states()));
            }
        }
        for (SubmittedBlock block : blocks) {
            SubmittedFuture common = block.getCommon();
            FutureRecord record = record(request, common, token).toBuilder()
                    .setBlock(Block.newBuilder().setFutures(block.getFutures()))
                    .build();
            items.addAll(BlockRun.items(
                    Ids.of(common.getId()),
                    record,
                    Objects.requireNonNull(functions.get(common.getFunction())),
                    block.getArgumentsList()));
        }
        if (items.isEmpty()) {
            functions.values().forEach(LoadedFunction::close);
            return submission.submit(request, waiter);
        }
        CompletableFuture<Submitted> submitted = new CompletableFuture<>();
        loop.runUnrecorded(
                items,
                futures.size() + blocks.size(),
                ended -> CompletableFuture.completedFuture(ended)
                        .thenCompose(attempts -> tellAndRecord(request, waiter, client, token, attempts, turn))
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                submitted.completeExceptionally(failure);
                            } else {
                                submitted.complete(done);
                            }
                        }),
                () -> functions.values().forEach(LoadedFunction::close));
        return submitted;
    }

    private CompletableFuture<Submitted> tellAndRecord(
            SubmitRequest request,
            Optional<String> waiter,
            SpeculativeValues client,
            ClaimToken token,
            Map<FutureId, Optional<Outcome>> ended,
            SpeculativeCalls.Turn turn) {
        Set<FutureId> told = speculation.tell(request, ended, client);
        CompletableFuture<Submitted> recorded = record(request, waiter, client, token, ended, turn);
        return told.isEmpty()
                ? recorded
                : recorded.whenComplete((submitted, failure) -> speculation.recorded(told, token, submitted));
    }

    private CompletableFuture<Submitted> record(
            SubmitRequest request,
            Optional<String> waiter,
            SpeculativeValues client,
            ClaimToken token,
            Map<FutureId, Optional<Outcome>> ended,
            SpeculativeCalls.Turn turn) {
        SubmitRequest rest = turn.rest(request, ended.keySet());
        if (rest.getFuturesCount() > 0) {
            Set<ByteString> later = new HashSet<>();
            rest.getFuturesList().forEach(future -> later.add(future.getId()));
            SubmitRequest now = request.toBuilder()
                    .clearFutures()
                    .addAllFutures(request.getFuturesList().stream()
                            .filter(future -> !later.contains(future.getId()))
                            .toList())
                    .build();
            return record(now, waiter, client, token, ended, turn).thenCompose(first -> {
                turn.end();
                return recordTogether(rest, waiter, client).thenApply(first::and);
            });
        }
        List<SpeculativeRun> runs = turn.runs(ended);
        SpeculativeAttempts early = new SpeculativeAttempts(seat, token, recorder, ended, runs);
        int futures = request.getFuturesCount()
                + request.getBlocksList().stream()
                        .mapToInt(SubmittedBlock::getFutures)
                        .sum();
        boolean allRealized = early.allRealized(futures);
        return (isNew(request) && allRealized
                        ? submission.submitNew(request, waiter, early)
                        : submission.submit(request, waiter, early))
                .thenApply(submitted -> {
                    submitted.done().forEach(recent::add);
                    turn.recorded(runs, allRealized);
                    loop.unrecorded().discardBut(submitted.done(), token, ended);
                    return submitted;
                });
    }

    private static FutureRecord record(SubmitRequest request, SubmittedFuture future, ClaimToken token) {
        return FutureRecord.newBuilder()
                .setJob(future.getJob())
                .setFunction(future.getFunction())
                .setArgumentKind(future.getArgumentKind())
                .setArgumentUpstreams(future.getArgumentUpstreams())
                .setActor(future.getActor())
                .setSchedulingSpec(future.getSchedulingSpec())
                .setNumAttempts(request.getLostAttempts() + 1)
                .setClaim(token)
                .build();
    }

    /**
     * Whether nobody can have recorded any of it before: ids are drawn at random and not made from a key or by a task,
     * which may repeat itself, and the client, who allows this to be run first, has not sent it before. And whether all
     * upstreams are in it.
     */
    private static boolean isNew(SubmitRequest request) {
        if (request.getMayNameKnown()) {
            return false;
        }
        Set<ByteString> ids = new HashSet<>();
        for (SubmittedFuture future : request.getFuturesList()) {
            if (!Ids.of(future.getId()).isDrawn()
                    || !future.getActor().isEmpty()
                    || !future.getParent().isEmpty()
                    || !ids.containsAll(future.getUpstreamsList())) {
                return false;
            }
            ids.add(future.getId());
        }
        return ids.size() == request.getFuturesCount();
    }

    /**
     * Short ones whose upstreams, if any, were realized here lately or are among them. No call comes before one of the
     * same actor that must be recorded first; and of those with one key only the first, which is recorded, may be run.
     */
    private List<SubmittedFuture> eligible(List<SubmittedFuture> futures) {
        List<SubmittedFuture> eligible = new ArrayList<>();
        Set<ByteString> seen = new HashSet<>();
        Set<ByteString> ids = new HashSet<>();
        Set<ByteString> passedOver = new HashSet<>();
        for (SubmittedFuture future : futures) {
            if (!seen.add(future.getId())) {
                continue;
            }
            if (isSimple(future)
                    && !passedOver.contains(future.getActor())
                    && future.getUpstreamsList().stream().allMatch(id -> ids.contains(id) || recent.contains(id))) {
                eligible.add(future);
                ids.add(future.getId());
            } else if (!future.getActor().isEmpty()) {
                passedOver.add(future.getActor());
            }
        }
        return eligible;
    }

    private boolean isSimple(SubmittedFuture future) {
        SchedulingSpec schedulingSpec = future.getSchedulingSpec();
        return !future.hasValue()
                && future.getArgumentChunks() == 0
                && schedulingSpec.getDelayMillis() == 0
                && schedulingSpec.getAttemptTimeoutMillis() == 0
                && !schedulingSpec.hasLocality()
                && !schedulingSpec.hasSession()
                && !schedulingSpec.hasRequirements()
                && !schedulingSpec.getIsolated()
                && !schedulingSpec.getExternalEffects()
                && schedulingSpec.getItemsAhead() == 0
                && future.getMaxRetries() > 0
                && (schedulingSpec.getShortTask() || runTimes.isShort(future));
    }

    /**
     * A future by itself, which takes the values of its upstreams from memory, and its turn among calls of its actor.
     */
    private final class SpeculativeItem implements AttemptGroup.Item {

        private final Claimed claimed;
        private final SubmittedFuture future;
        private final LoadedFunction function;
        private final Optional<SpeculativeCalls.Line> line;
        private final LiveActors actors;

        SpeculativeItem(
                Claimed claimed,
                SubmittedFuture future,
                LoadedFunction function,
                Optional<SpeculativeCalls.Line> line,
                LiveActors actors) {
            this.claimed = claimed;
            this.future = future;
            this.function = function;
            this.line = line;
            this.actors = actors;
        }

        @Override
        public Claimed claimed() {
            return claimed;
        }

        @Override
        public TaskCall.@Nullable Inputs inputs(Map<FutureId, Optional<Outcome>> before) {
            ActorSnapshot state =
                    line.isEmpty() ? ActorSnapshot.NONE : line.get().enter(future, before);
            if (state == null) {
                return null;
            }
            Map<FutureId, Serialized> values = new HashMap<>();
            for (ByteString upstream : future.getUpstreamsList()) {
                FutureId id = Ids.of(upstream);
                ByteString value = before.getOrDefault(id, Optional.empty()).orElse(new Outcome.GivenBack())
                                        instanceof Outcome.Realized realized
                                && realized.result().hasInline()
                        ? realized.result().getInline()
                        : recent.get(upstream);
                if (value == null) {
                    return null;
                }
                values.put(id, value::newInput);
            }
            return new TaskCall.Inputs(
                    function,
                    future.getArgument()::newInput,
                    future.getUpstreamsList().stream().map(Ids::of).toList(),
                    values,
                    GivenState.of(state, calls.stateBytesMax()),
                    actors);
        }
    }
}
