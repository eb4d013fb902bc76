/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.InputReceipt;
import dev.ratchet.client.InputRows;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ProducerConflictException;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.DescribeProducerRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request at a time, as the cluster takes one for a repetition that comes behind a later one. The sequence is
 * known only once the cluster was asked. Safe for use by several threads.
 */
final class RemoteProducer implements CircuitProducer {

    private static final int NAME_LENGTH_MAX = 200;
    private static final int WAITING_BYTES_MAX = 16 << 20;

    private final ClientHub hub;
    private final Caller caller;
    private final String name;

    /** Ends when all that was sent has. */
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

    private int waitingBytes;

    /** The last sequence that is known. Used by the one request that is under way. */
    private volatile @Nullable Long last;

    private volatile boolean isUncertain;

    RemoteProducer(ClientHub hub, Caller caller, String name) {
        if (name.isEmpty()
                || name.length() > NAME_LENGTH_MAX
                || name.startsWith("input:")
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException("The name of a producer has 1 to " + NAME_LENGTH_MAX
                    + " characters, no control characters, and does not begin with 'input:': '" + name + "'.");
        }
        this.hub = hub;
        this.caller = caller;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public InputReceipt received() {
        try (Caller.Pause pause = caller.pause()) {
            return GatewayConnection.await(ask());
        }
    }

    private CompletableFuture<InputReceipt> ask() {
        DescribeProducerRequest request =
                DescribeProducerRequest.newBuilder().setProducer(name).build();
        return hub.connection()
                .<ProducerDescription>call((stub, answer) -> stub.describeProducer(request, answer))
                .thenApply(RemoteProducer::receipt);
    }

    @Override
    public CompletableFuture<InputReceipt> send(InputRows rows) {
        return send(InputLines.request(rows), null);
    }

    @Override
    public CompletableFuture<InputReceipt> send(long sequence, InputRows rows) {
        if (sequence < 0) {
            throw new InvalidInputException("A sequence is a number from 0 on, not " + sequence + ".");
        }
        return send(InputLines.request(rows), sequence);
    }

    private synchronized CompletableFuture<InputReceipt> send(AddRowsRequest.Builder rows, @Nullable Long sequence) {
        int bytes = rows.build().getSerializedSize();
        waitForRoom(bytes);
        CompletableFuture<InputReceipt> answer = sent.handle((before, failure) -> null)
                .thenCompose(before -> sequence == null ? next() : CompletableFuture.completedFuture(sequence))
                .thenCompose(
                        number -> add(rows.setProducer(name).setSequence(number).build(), sequence == null))
                .whenComplete((receipt, failure) -> leave(bytes));
        sent = answer;
        // On a thread of its own: a program that waits for room there holds up no request, and one that cancels its
        // future does not take the request back.
        return answer.whenCompleteAsync(
                (receipt, failure) -> {}, hub.environment().blockingExecutor());
    }

    private synchronized void waitForRoom(int bytes) {
        try {
            while (waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES_MAX) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("Interrupted while waiting for room to send rows", interrupted);
        }
        waitingBytes += bytes;
    }

    private synchronized void leave(int bytes) {
        waitingBytes -= bytes;
        notifyAll();
    }

    private CompletableFuture<Long> next() {
        Long known = last;
        return known != null
                ? CompletableFuture.completedFuture(known + 1)
                : ask().thenApply(received -> received.sequence() + 1);
    }

    /** @param isNext whether the sequence is the one behind the last, which nobody else has sent */
    private CompletableFuture<InputReceipt> add(AddRowsRequest request, boolean isNext) {
        if (isUncertain) {
            throw new ConnectionException("It is not known whether a request before is there; make another producer '"
                    + name + "', ask it what was received, and go on behind that");
        }
        AtomicInteger attempts = new AtomicInteger();
        return hub.connection()
                .<ProducerDescription>call((stub, answer) -> {
                    attempts.incrementAndGet();
                    stub.addRows(request, answer);
                })
                .handle((added, failure) -> {
                    if (failure != null) {
                        throw failed(failure);
                    }
                    last = added.getSequence();
                    // A repetition of an attempt before has the sequence of this request.
                    boolean isOwn = added.getSequence() == request.getSequence() && attempts.get() > 1;
                    if (isNext && added.getRepeated() && !isOwn) {
                        isUncertain = true;
                        throw new ProducerConflictException("The request " + request.getSequence() + " of producer '"
                                + name + "' was not added: somebody else has sent up to " + added.getSequence()
                                + " under this name. Give each program a name of its own; after a crash, make the"
                                + " producer anew and ask it what was received.");
                    }
                    return receipt(added);
                });
    }

    private CompletionException failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof InvalidInputException) {
            // An attempt before may have been taken.
            last = null;
        } else {
            isUncertain = true;
        }
        return new CompletionException(cause);
    }

    private static InputReceipt receipt(ProducerDescription description) {
        return new InputReceipt(description.getSequence(), description.getPosition(), description.getRepeated());
    }
}
