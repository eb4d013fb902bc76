/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends futures to the cluster in the order in which they were submitted, many in one message: what comes while
 * messages are on their way waits for the next. A future whose upstream is on its way waits for that, so an upstream is
 * recorded before its dependents, without anybody waiting; likewise the calls of one actor. What is still being
 * uploaded takes no place in a message: what does not depend on it goes on. Callers wait when too much does. Safe for
 * use by several threads.
 */
final class Submitter {

    private static final int FUTURES_PER_MESSAGE = 1_000;
    private static final long BYTES_PER_MESSAGE = 800_000;
    private static final int BLOCKS_PER_MESSAGE = 32;
    /** Each takes much more room in the store's transaction than in the message. */
    private static final int UPSTREAMS_PER_MESSAGE = 4_000;
    /** A worker runs them one after the other before it answers. */
    private static final int CALLS_PER_MESSAGE = 128;

    /**
     * Futures and blocks of a message whose answer is taken by the thread of the network: to wake another one takes as
     * long as all else that a client does for a short future.
     */
    private static final int TOLD_AT_ONCE_MAX = 4;

    private static final int MESSAGES_MAX = 2;

    /**
     * The same of messages that begin with a future whose value may be told before it is recorded: whoever has the
     * value submits the next one while this one is being recorded.
     */
    private static final int SPECULATIVE_MESSAGES_MAX = 16;

    private static final int WAITING_MAX = 100_000;
    private static final long WAITING_BYTES_MAX = 64L << 20;

    private final GatewayConnection connection;
    private final Completions completions;
    /** What can be sent, by its number. */
    private final NavigableMap<Long, Pending> queue = new TreeMap<>();

    private final HeldBack heldBack = new HeldBack();
    private final FailedSubmits failedSubmits = new FailedSubmits();
    /** What is on its way, in messages that nobody has answered yet. */
    private final Map<FutureId, Pending> flying = new HashMap<>();

    /** The latest submit, while more may join it. */
    private @Nullable PendingBlock open;

    private long submits;
    private long waitingBytes;
    private int waitingFutures;
    private int messages;
    private int speculativeMessages;
    private boolean planned;

    /** How many futures were submitted since somebody waited for one. */
    private int unawaited;
    /** Whether the last one that somebody waited for had been submitted alone: so may be the next. */
    private boolean oneByOne;

    private final boolean callersSend;

    /**
     * @param completions is told what is recorded, and what is done already
     * @param callersSend whether callers that wait for one future after the other send each when they submit it, not
     *     when they wait: no thread is woken then in case that they do not
     */
    Submitter(GatewayConnection connection, Completions completions, boolean callersSend) {
        this.connection = connection;
        this.completions = completions;
        this.callersSend = callersSend;
    }

    /** Takes a future; waits while too many are on their way. */
    void submit(PendingSubmit pending) {
        boolean now;
        synchronized (this) {
            waitForRoom();
            open = null;
            add(pending);
            now = added(pending.bytes());
        }
        if (now) {
            sendNext();
        }
    }

    /**
     * Takes a future that may travel in a block, beside others like it; waits while too many are on their way.
     *
     * @param common all but its id and argument
     * @param classes loads the classes of its value
     */
    <T> RemoteFuture<T> submit(
            TaskPackaging.Common common,
            SubmittedFunction function,
            ByteString argument,
            Caller caller,
            ClassLoader classes) {
        RemoteFuture<T> future;
        boolean now;
        synchronized (this) {
            waitForRoom();
            PendingBlock block;
            long before = 0;
            if (open != null && open.takes(common, argument, caller, classes)) {
                block = open;
                before = block.bytes();
            } else {
                block = new PendingBlock(
                        BlockIds.of(connection.environment().randomId()),
                        common,
                        function,
                        completions,
                        caller,
                        classes);
                completions.expect(block);
                add(block);
                open = block;
            }
            future = block.add(argument);
            now = added(block.bytes() - before);
        }
        if (now) {
            sendNext();
        }
        return future;
    }

    private void add(Pending pending) {
        long number = submits++;
        boolean uploading = !pending.ready().isDone();
        Optional<HeldBack.Held> held = heldBack.hold(number, pending, uploading);
        if (held.isEmpty()) {
            queue.put(number, pending);
        } else if (uploading) {
            pending.ready().whenComplete((done, failure) -> uploaded(held.get()));
        }
    }

    private synchronized void uploaded(HeldBack.Held held) {
        heldBack.uploaded(held, queue::put);
        if (!planned && mayFly()) {
            planned = true;
            connection.environment().executor().execute(this::sendNext);
        }
    }

    /** Whether the caller has to send what it has added; else that is seen to. */
    private boolean added(long bytes) {
        waitingFutures++;
        waitingBytes += bytes;
        unawaited++;
        if (planned || !mayFly()) {
            return false;
        }
        planned = true;
        if (callersSend && oneByOne && unawaited == 1 && (messages == 0 || isSpeculative(queue.firstEntry()))) {
            return true;
        }
        connection.environment().executor().execute(this::sendNext);
        return false;
    }

    /** Whether there is a next message, and it may be sent while others are on their way. */
    private boolean mayFly() {
        Map.Entry<Long, Pending> first = queue.firstEntry();
        return first != null
                && (isSpeculative(first) ? speculativeMessages < SPECULATIVE_MESSAGES_MAX : messages < MESSAGES_MAX);
    }

    private static boolean isSpeculative(Map.@Nullable Entry<Long, Pending> queued) {
        return queued != null && queued.getValue().future().getTellEarly();
    }

    /** Completes when what was submitted so far is recorded or refused. */
    synchronized CompletableFuture<Void> flushed() {
        return CompletableFuture.allOf(Stream.of(queue.values().stream(), heldBack.all(), flying.values().stream())
                .flatMap(pending -> pending)
                .map(pending -> pending.submitted().handle((done, failure) -> null))
                .toArray(CompletableFuture[]::new));
    }

    private synchronized void waitForRoom() {
        connection.requireOpen();
        try {
            while (waitingFutures >= WAITING_MAX || waitingBytes >= WAITING_BYTES_MAX) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("Interrupted while waiting for room to submit", interrupted);
        }
    }

    /**
     * Sends on the caller's thread what nobody has sent yet, because it is about to wait: the executor's threads take
     * their time to begin.
     */
    void hurry() {
        boolean now;
        synchronized (this) {
            if (unawaited > 0) {
                oneByOne = unawaited == 1;
                unawaited = 0;
            }
            now = planned;
        }
        if (now) {
            sendNext();
        }
    }

    private void sendNext() {
        List<Pending> batch;
        synchronized (this) {
            planned = false;
            if (!mayFly()) {
                return;
            }
            batch = takeBatch();
            if (batch.isEmpty()) {
                return;
            }
            count(batch, 1);
            batch.forEach(pending -> flying.put(pending.id(), pending));
        }
        GuardedCallbacks.begin(() -> send(batch)).whenComplete((reply, failure) -> sent(batch, reply, failure));
    }

    /** Counts a message by what it begins with. */
    private void count(List<Pending> batch, int change) {
        if (batch.getFirst().future().getTellEarly()) {
            speculativeMessages += change;
        } else {
            messages += change;
        }
    }

    /** From the front of the queue, up to a future with an upstream that is on its way or in a block of this batch. */
    private List<Pending> takeBatch() {
        List<Pending> batch = new ArrayList<>();
        Set<ByteString> functions = new HashSet<>();
        Set<FutureId> blocks = new HashSet<>();
        int single = 0;
        int calls = 0;
        int upstreams = 0;
        long bytes = 0;
        for (Map.Entry<Long, Pending> first = queue.firstEntry(); first != null; first = queue.firstEntry()) {
            Pending next = first.getValue();
            bytes += next.bytes()
                    + (functions.add(next.function().getDigest())
                            ? next.function().getSerializedSize()
                            : 0);
            single += next.isBlock() ? 0 : next.futures();
            calls += next.future().getActor().isEmpty() ? 0 : 1;
            upstreams += next.future().getUpstreamsCount();
            boolean full = bytes > BYTES_PER_MESSAGE
                    || upstreams > UPSTREAMS_PER_MESSAGE
                    || single > FUTURES_PER_MESSAGE
                    || calls > CALLS_PER_MESSAGE
                    || (next.isBlock() && blocks.size() == BLOCKS_PER_MESSAGE);
            if (isBehind(next, blocks) || (!batch.isEmpty() && full)) {
                break;
            }
            queue.remove(first.getKey());
            if (open == next) {
                open = null;
            }
            if (next.isBlock()) {
                blocks.add(next.id());
            }
            batch.add(next);
        }
        return batch;
    }

    private boolean isBehind(Pending pending, Set<FutureId> blocks) {
        return (!flying.isEmpty() && (flying.containsKey(pending.id()) || callsFlyingActor(pending)))
                || pending.future().getUpstreamsList().stream()
                        .map(upstream -> BlockIds.sentAs(Ids.of(upstream)))
                        .anyMatch(upstream -> flying.containsKey(upstream) || blocks.contains(upstream));
    }

    /** Calls of one actor are recorded in the order in which they were made. */
    private boolean callsFlyingActor(Pending pending) {
        ByteString actor = pending.future().getActor();
        return !actor.isEmpty()
                && flying.values().stream()
                        .anyMatch(other -> other.future().getActor().equals(actor));
    }

    private CompletableFuture<SubmitReply> send(List<Pending> batch) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder().setNotify(true);
        Set<ByteString> functions = new HashSet<>();
        for (Pending pending : batch) {
            if (!pending.ready().isCompletedExceptionally()) {
                pending.addTo(request);
                if (!pending.future().hasValue()
                        && functions.add(pending.function().getDigest())) {
                    request.addFunctions(pending.function());
                }
            }
        }
        if (request.getFuturesCount() + request.getBlocksCount() == 0) {
            return CompletableFuture.completedFuture(SubmitReply.getDefaultInstance());
        }
        SubmitRequest first = request.setMayRunFirst(true).build();
        SubmitRequest again = request.setMayRunFirst(false).setLostAttempts(1).build();
        AtomicBoolean sent = new AtomicBoolean();
        boolean small = request.getFuturesCount() + request.getBlocksCount() <= TOLD_AT_ONCE_MAX;
        boolean speculative =
                batch.stream().anyMatch(pending -> pending.future().getTellEarly());
        return connection.call((stub, reply) -> {
            GatewayStub quick = small ? stub.withExecutor(Runnable::run) : stub;
            if (sent.getAndSet(true)) {
                quick.submit(again, reply);
            } else if (speculative) {
                quick.submitSpeculatively(first, new Speculation(quick, first, reply, completions));
            } else {
                quick.submit(first, reply);
            }
        });
    }

    /**
     * What comes of a request whose values may be told before they are recorded. A worker of a release that does not
     * know such requests gets a plain one.
     */
    private record Speculation(
            GatewayStub worker, SubmitRequest request, StreamObserver<SubmitReply> recorded, Completions completions)
            implements StreamObserver<SubmitReply> {

        @Override
        public void onNext(SubmitReply reply) {
            if (reply.getUnrecordedCount() > 0) {
                reply.getUnrecordedList().forEach(completions::told);
            } else {
                recorded.onNext(reply);
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (Status.fromThrowable(failure).getCode() == Status.Code.UNIMPLEMENTED) {
                GuardedCallbacks.or(() -> worker.submit(request, recorded), recorded::onError);
            } else {
                recorded.onError(failure);
            }
        }

        @Override
        public void onCompleted() {
            recorded.onCompleted();
        }
    }

    private void sent(List<Pending> batch, @Nullable SubmitReply reply, @Nullable Throwable failure) {
        SubmitReply told = reply == null ? SubmitReply.getDefaultInstance() : reply;
        Map<FutureId, String> refusals = new HashMap<>();
        told.getRefusalsList().forEach(refusal -> refusals.put(Ids.of(refusal.getId()), refusal.getMessage()));
        // Before their dependents are sent, which will be refused.
        Map<FutureId, Throwable> failures = failures(batch, refusals, failure);
        synchronized (this) {
            for (Pending pending : batch) {
                flying.remove(pending.id(), pending);
                waitingBytes -= pending.bytes();
                waitingFutures -= pending.futures();
            }
            count(batch, -1);
            notifyAll();
        }
        GuardedCallbacks.run("sending what waits", this::sendNext);
        Set<FutureId> done = new HashSet<>();
        told.getOutcomesList().forEach(outcome -> done.add(Ids.of(outcome.getId())));
        GuardedCallbacks.each(
                "taking the outcome of a block",
                told.getBlocksList(),
                block -> completions.done(Ids.of(block.getId()), block));
        List<Pending> recorded = new ArrayList<>();
        for (Pending pending : batch) {
            Throwable reason = failures.get(pending.id());
            if (reason != null) {
                pending.submitted().completeExceptionally(reason);
            } else if (!done.contains(pending.id())) {
                recorded.add(pending);
            }
        }
        refusals.forEach((id, message) ->
                completions.fail(id, new InvalidInputException("The future " + id + " was refused: " + message)));
        GuardedCallbacks.run("asking for outcomes", () -> completions.ask(recorded, done));
        batch.forEach(pending -> pending.submitted().complete(null));
        GuardedCallbacks.each(
                "taking an outcome",
                told.getOutcomesList(),
                outcome -> completions.done(Ids.of(outcome.getId()), outcome));
    }

    /** Those of a message that could not be submitted, with the reasons. */
    private Map<FutureId, Throwable> failures(
            List<Pending> batch, Map<FutureId, String> refusals, @Nullable Throwable failure) {
        Map<FutureId, Throwable> failures = new HashMap<>();
        for (Pending pending : batch) {
            String refusal = refusals.get(pending.id());
            Throwable reason = pending.ready().isCompletedExceptionally()
                    ? pending.ready().handle((done, problem) -> problem).join()
                    : failure;
            if (reason != null) {
                failures.put(pending.id(), causeOf(reason));
                failedSubmits.add(pending.id(), causeOf(reason));
            } else if (refusal != null) {
                failures.put(pending.id(), failedSubmits.refused(pending, refusal));
            } else {
                failedSubmits.remove(pending.id());
            }
        }
        return failures;
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
