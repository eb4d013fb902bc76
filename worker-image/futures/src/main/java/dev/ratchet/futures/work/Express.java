/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.Snapshot;
import dev.ratchet.futures.code.CodeCache;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.work.Submission.Submitted;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Treatment;
import dev.ratchet.store.environment.Environment;
import dev.ratchet.store.environment.Environment.Cancellable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
final class Express {

    /** How long one request may run unrecorded. */
    private static final long PATIENCE_MILLIS = 100;

    /** Results that one transaction records; those after are for others. */
    private static final long RESULT_BYTES_MAX = 2_000_000;

    /** First epoch of a future. */
    private static final long EPOCH = 1;

    private final Environment environment;
    private final Seat seat;
    private final CodeCache code;
    private final Submission submission;
    private final Recorder recorder;
    private final WorkLoop loop;
    private final RunTimes runTimes;
    private final RecentValues recent = new RecentValues();

    /** @param recorder records outcomes in the name of this seat */
    Express(
            Environment environment,
            Seat seat,
            CodeCache code,
            Submission submission,
            Recorder recorder,
            WorkLoop loop,
            RunTimes runTimes) {
        this.environment = environment;
        this.seat = seat;
        this.code = code;
        this.submission = submission;
        this.recorder = recorder;
        this.loop = loop;
        this.runTimes = runTimes;
    }

    /** Records a request, and runs first what is short, if this worker has a free slot. */
    CompletableFuture<Submitted> submit(SubmitRequest request, Optional<String> waiter) {
        List<SubmittedFuture> eligible =
                request.getMayRunFirst() && loop.takesBatches() ? eligible(request.getFuturesList()) : List.of();
        if (eligible.isEmpty()) {
            return submission.submit(request, waiter);
        }
        for (SubmittedFunction function : request.getFunctionsList()) {
            code.offer(function.getDigest(), function.getCode());
        }
        Map<ByteString, CompletableFuture<LoadedFunction>> functions = new HashMap<>();
        eligible.forEach(future -> functions.computeIfAbsent(future.getFunction(), code::load));
        return CompletableFuture.allOf(functions.values().toArray(CompletableFuture[]::new))
                .handle((unused, unloadable) -> {
                    if (unloadable != null) {
                        functions.values().forEach(load -> load.thenAccept(LoadedFunction::close));
                        return submission.submit(request, waiter);
                    }
                    Map<ByteString, LoadedFunction> loaded = new HashMap<>();
                    functions.forEach((digest, load) -> loaded.put(digest, load.join()));
                    Batch batch = new Batch(request, waiter, eligible, loaded);
                    loop.runFirst(batch.first(), batch);
                    return batch.submitted;
                })
                .thenCompose(submitted -> submitted);
    }

    /** Short ones whose upstreams, if any, were realized here lately or are among them. */
    private List<SubmittedFuture> eligible(List<SubmittedFuture> futures) {
        List<SubmittedFuture> eligible = new ArrayList<>();
        Set<ByteString> ids = new HashSet<>();
        for (SubmittedFuture future : futures) {
            if (isSimple(future)
                    && future.getUpstreamsList().stream().allMatch(id -> ids.contains(id) || recent.contains(id))) {
                eligible.add(future);
                ids.add(future.getId());
            }
        }
        return eligible;
    }

    private boolean isSimple(SubmittedFuture future) {
        Treatment treatment = future.getTreatment();
        return future.getArgumentChunks() == 0
                && future.getActor().isEmpty()
                && treatment.getDelayMillis() == 0
                && treatment.getAttemptTimeoutMillis() == 0
                && !treatment.hasLocality()
                && !treatment.hasRequirements()
                && !treatment.getIsolated()
                && treatment.getItemsAhead() == 0
                && future.getMaxRetries() > 0
                && (treatment.getShortTask() || runTimes.isShort(future.getFunction()));
    }

    /** The futures of one request that run first, on one thread, one after the other. */
    private final class Batch implements Runnable {

        private final SubmitRequest request;
        private final Optional<String> waiter;
        private final Map<ByteString, LoadedFunction> functions;
        private final List<Execution> executions = new ArrayList<>();
        private final List<SubmittedFuture> futures;
        private final ClaimToken token;
        private final Map<FutureId, Optional<Outcome>> outcomes = new LinkedHashMap<>();
        private final CompletableFuture<Submitted> submitted = new CompletableFuture<>();
        private @Nullable Execution running;
        private final Cancellable patience;
        private boolean sealed;
        private long resultBytes;

        Batch(
                SubmitRequest request,
                Optional<String> waiter,
                List<SubmittedFuture> futures,
                Map<ByteString, LoadedFunction> functions) {
            this.request = request;
            this.waiter = waiter;
            this.futures = futures;
            this.functions = functions;
            token = ClaimToken.newBuilder()
                    .setSeat(seat.name())
                    .setIncarnation(seat.incarnation())
                    .setEpoch(EPOCH)
                    .setNonce(environment.random().nextLong())
                    .build();
            for (SubmittedFuture future : futures) {
                FutureRecord record = FutureRecord.newBuilder()
                        .setJob(future.getJob())
                        .setFunction(future.getFunction())
                        .setArgumentKind(future.getArgumentKind())
                        .setArgumentUpstreams(future.getArgumentUpstreams())
                        .setTreatment(future.getTreatment())
                        .setNumAttempts(request.getLostAttempts() + 1)
                        .setClaim(token)
                        .build();
                executions.add(new Execution(new Claimed(Ids.of(future.getId()), record), environment.nanoTime()));
            }
            patience = environment.schedule(PATIENCE_MILLIS, this::seal);
        }

        Execution first() {
            return executions.get(0);
        }

        /** On the thread of a slot. */
        @Override
        public void run() {
            try {
                for (int i = 0; i < executions.size() && begin(executions.get(i)); i++) {
                    Execution execution = executions.get(i);
                    LoadedFunction function =
                            functions.get(execution.claimed().record().getFunction());
                    Map<FutureId, Serialized> values = values(futures.get(i));
                    if (values.size() < new HashSet<>(futures.get(i).getUpstreamsList()).size()) {
                        skip();
                        continue;
                    }
                    Outcome outcome = loop.attempt(
                            execution,
                            new TaskCall.Inputs(
                                    Objects.requireNonNull(function),
                                    futures.get(i).getArgument()::newInput,
                                    futures.get(i).getUpstreamsList().stream()
                                            .map(Ids::of)
                                            .toList(),
                                    values,
                                    Snapshot.NONE));
                    if (!end(execution, outcome)) {
                        handOver(execution, outcome);
                    }
                }
            } finally {
                patience.cancel();
                functions.values().forEach(LoadedFunction::close);
                seal();
            }
        }

        private synchronized boolean begin(Execution execution) {
            if (sealed || resultBytes > RESULT_BYTES_MAX) {
                return false;
            }
            running = execution;
            return execution.start(environment.nanoTime());
        }

        /** Values of the upstreams, as far as they are at hand. */
        private synchronized Map<FutureId, Serialized> values(SubmittedFuture future) {
            Map<FutureId, Serialized> values = new HashMap<>();
            for (ByteString upstream : future.getUpstreamsList()) {
                FutureId id = Ids.of(upstream);
                ByteString value = outcomes.getOrDefault(id, Optional.empty()).orElse(new Outcome.GivenBack())
                                        instanceof Outcome.Realized realized
                                && realized.result().hasInline()
                        ? realized.result().getInline()
                        : recent.get(upstream);
                if (value != null) {
                    values.put(id, value::newInput);
                }
            }
            return values;
        }

        /** It waits for an upstream that has no value yet, like any other. */
        private synchronized void skip() {
            running = null;
        }

        /** Whether the outcome goes into the transaction that records the future. */
        private synchronized boolean end(Execution execution, Outcome outcome) {
            running = null;
            if (!sealed && !outcome.effects().isEmpty()) {
                outcomes.put(execution.claimed().id(), Optional.empty());
                loop.adopt(first(), execution);
                return false;
            }
            if (!sealed) {
                outcomes.put(execution.claimed().id(), Optional.of(outcome));
                resultBytes += outcome instanceof Outcome.Realized realized
                        ? realized.result().getSerializedSize()
                        : 0;
            }
            return !sealed;
        }

        /** Records what there is by now. */
        private void seal() {
            Map<FutureId, Optional<Outcome>> ended;
            synchronized (this) {
                if (sealed) {
                    return;
                }
                sealed = true;
                if (running != null) {
                    outcomes.put(running.claimed().id(), Optional.empty());
                    loop.adopt(first(), running);
                }
                ended = Map.copyOf(outcomes);
            }
            submission
                    .submit(request, waiter, new EarlyAttempts(seat, token, recorder, ended))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            submitted.completeExceptionally(failure);
                        } else {
                            done.done().forEach(recent::add);
                            submitted.complete(done);
                            loop.recordedFirst(executions, ended, done.done());
                        }
                    });
        }

        /** The attempt has become an ordinary claim meanwhile. */
        private void handOver(Execution execution, Outcome outcome) {
            var unused = submitted.whenComplete((done, failure) -> loop.ended(execution, outcome));
        }
    }
}
