/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Sends futures to the cluster in the order in which they were submitted, many in one message: what comes while
 * messages are on their way waits for the next. A future whose upstream is on its way waits for that, so an upstream is
 * recorded before its dependents, without anybody waiting; likewise the calls of one actor. Callers are held back when
 * too much waits. Safe for use by several threads.
 */
final class Submitter {

    private static final int FUTURES_PER_MESSAGE = 1_000;
    private static final long BYTES_PER_MESSAGE = 800_000;
    private static final int MESSAGES_MAX = 2;
    private static final int WAITING_MAX = 100_000;
    private static final long WAITING_BYTES_MAX = 64L << 20;

    private final GatewayConnection connection;
    private final Consumer<List<FutureId>> recorded;
    private final BiConsumer<FutureId, Outcome> done;
    private final Deque<PendingSubmit> queue = new ArrayDeque<>();
    /** What is on its way, in messages that nobody has answered yet. */
    private final Map<FutureId, PendingSubmit> flying = new HashMap<>();

    private long queuedBytes;
    private int messages;
    private boolean planned;

    /**
     * @param recorded is told of the futures that are recorded now and not done
     * @param done is told of the outcomes of those that are done already
     */
    Submitter(GatewayConnection connection, Consumer<List<FutureId>> recorded, BiConsumer<FutureId, Outcome> done) {
        this.done = done;
        this.connection = connection;
        this.recorded = recorded;
    }

    /** Takes a future; waits while too many are on their way. */
    void submit(PendingSubmit pending) {
        synchronized (this) {
            waitForRoom();
            queue.add(pending);
            queuedBytes += pending.bytes();
            if (planned || messages >= MESSAGES_MAX) {
                return;
            }
            planned = true;
        }
        connection.environment().executor().execute(this::sendNext);
    }

    /** Completes when what was submitted so far is recorded or refused. */
    synchronized CompletableFuture<Void> flushed() {
        return CompletableFuture.allOf(Stream.concat(queue.stream(), flying.values().stream())
                .map(pending -> pending.submitted().handle((done, failure) -> null))
                .toArray(CompletableFuture[]::new));
    }

    private synchronized void waitForRoom() {
        try {
            while (queue.size() + flying.size() >= WAITING_MAX || queuedBytes >= WAITING_BYTES_MAX) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("Interrupted while waiting for room to submit", interrupted);
        }
    }

    private void sendNext() {
        List<PendingSubmit> batch;
        synchronized (this) {
            planned = false;
            if (messages >= MESSAGES_MAX) {
                return;
            }
            batch = takeBatch();
            if (batch.isEmpty()) {
                return;
            }
            messages++;
            batch.forEach(pending -> flying.put(pending.id(), pending));
        }
        CompletableFuture.allOf(batch.stream().map(PendingSubmit::ready).toArray(CompletableFuture[]::new))
                .handle((done, failure) -> send(batch))
                .thenCompose(sent -> sent)
                .whenCompleteAsync(
                        (reply, failure) -> sent(batch, reply, failure),
                        connection.environment().executor());
    }

    /** From the front of the queue, up to a future with an upstream that is on its way. */
    private List<PendingSubmit> takeBatch() {
        List<PendingSubmit> batch = new ArrayList<>();
        Set<ByteString> functions = new HashSet<>();
        long bytes = 0;
        for (PendingSubmit next = queue.peek(); next != null; next = queue.peek()) {
            bytes += next.bytes()
                    + (functions.add(next.function().getDigest())
                            ? next.function().getSerializedSize()
                            : 0);
            boolean full = bytes > BYTES_PER_MESSAGE || batch.size() == FUTURES_PER_MESSAGE;
            if ((full && !batch.isEmpty()) || isBehind(next)) {
                break;
            }
            batch.add(queue.remove());
        }
        return batch;
    }

    private boolean isBehind(PendingSubmit pending) {
        return !flying.isEmpty()
                && (flying.containsKey(pending.id())
                        || callsFlyingActor(pending)
                        || pending.future().getUpstreamsList().stream()
                                .anyMatch(upstream -> flying.containsKey(Ids.of(upstream))));
    }

    /** Calls of one actor are recorded in the order in which they were made. */
    private boolean callsFlyingActor(PendingSubmit pending) {
        ByteString actor = pending.future().getActor();
        return !actor.isEmpty()
                && flying.values().stream()
                        .anyMatch(other -> other.future().getActor().equals(actor));
    }

    private CompletableFuture<SubmitReply> send(List<PendingSubmit> batch) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder().setNotify(true);
        Set<ByteString> functions = new HashSet<>();
        for (PendingSubmit pending : batch) {
            if (!pending.ready().isCompletedExceptionally()) {
                request.addFutures(pending.future());
                if (functions.add(pending.function().getDigest())) {
                    request.addFunctions(pending.function());
                }
            }
        }
        if (request.getFuturesCount() == 0) {
            return CompletableFuture.completedFuture(SubmitReply.getDefaultInstance());
        }
        SubmitRequest first = request.setMayRunFirst(true).build();
        SubmitRequest again = request.setMayRunFirst(false).setLostAttempts(1).build();
        AtomicBoolean sent = new AtomicBoolean();
        return connection.call((stub, reply) -> stub.submit(sent.getAndSet(true) ? again : first, reply));
    }

    private void sent(
            List<PendingSubmit> batch,
            @org.jspecify.annotations.Nullable SubmitReply reply,
            @org.jspecify.annotations.Nullable Throwable failure) {
        synchronized (this) {
            for (PendingSubmit pending : batch) {
                flying.remove(pending.id(), pending);
                queuedBytes -= pending.bytes();
            }
            messages--;
            notifyAll();
        }
        Map<FutureId, String> refusals = new HashMap<>();
        Map<FutureId, Outcome> outcomes = new HashMap<>();
        if (reply != null) {
            reply.getRefusalsList().forEach(refusal -> refusals.put(Ids.of(refusal.getId()), refusal.getMessage()));
            reply.getOutcomesList().forEach(outcome -> outcomes.put(Ids.of(outcome.getId()), outcome));
        }
        List<FutureId> open = new ArrayList<>();
        for (PendingSubmit pending : batch) {
            String refusal = refusals.get(pending.id());
            if (pending.ready().isCompletedExceptionally()) {
                pending.ready().whenComplete((unused, problem) -> fail(pending, problem));
            } else if (failure != null) {
                fail(pending, failure);
            } else if (refusal != null) {
                fail(pending, new InvalidInputException("The future " + pending.id() + " was refused: " + refusal));
            } else if (!outcomes.containsKey(pending.id())) {
                open.add(pending.id());
            }
        }
        sendNext();
        recorded.accept(open);
        outcomes.forEach(done);
        batch.forEach(pending -> pending.submitted().complete(null));
    }

    private static void fail(PendingSubmit pending, Throwable failure) {
        Throwable cause = failure instanceof java.util.concurrent.CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        pending.submitted().completeExceptionally(cause);
    }
}
