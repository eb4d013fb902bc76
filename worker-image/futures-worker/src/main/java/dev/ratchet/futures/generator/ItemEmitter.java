/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.generator;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.Emitter;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.client.Caller;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.EmitReply;
import dev.ratchet.protocol.client.v1.EmitRequest;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the items of one attempt to be recorded: what is emitted while a message is on its way goes with the next, so
 * items travel alone when they are rare and together when they are many. Used by the task's thread; answers come on
 * others.
 */
public final class ItemEmitter implements Emitter<Object> {

    private static final int ITEM_BYTES_MAX = 900_000;
    private static final int CHUNK_ITEMS_MAX = 10_000;

    private final GatewayConnection connection;
    private final Caller caller;
    private final FutureId id;
    private final ClaimToken claim;
    private final int ahead;
    private List<ByteString> waiting = new ArrayList<>();
    private long waitingBytes;
    private @Nullable CompletableFuture<EmitReply> flying;
    /** Number of the next item that the code emits, and of the first that waits or would. */
    private long next;

    private long sent;
    private long recorded = -1;
    private long taken;

    /** @param ahead how many items may be recorded and not read */
    public ItemEmitter(GatewayConnection connection, Caller caller, FutureId id, ClaimToken claim, int ahead) {
        this.connection = connection;
        this.caller = caller;
        this.id = id;
        this.claim = claim;
        this.ahead = ahead;
    }

    @Override
    public void emit(Object item) throws InterruptedException {
        begin();
        if (next < recorded) {
            next++;
            return;
        }
        byte[] bytes = CodeWriter.writeValue("item", Objects.requireNonNull(item, "A generator can not emit null"));
        if (bytes.length > ITEM_BYTES_MAX) {
            throw new InvalidInputException("The item " + next + " has " + bytes.length
                    + " bytes when serialised, more than the limit of " + ITEM_BYTES_MAX
                    + ". Put it, and emit the id of that.");
        }
        while (isFull(bytes.length)) {
            await(flight());
        }
        synchronized (this) {
            waiting.add(UnsafeByteOperations.unsafeWrap(bytes));
            waitingBytes += bytes.length;
            next++;
        }
        send();
        while (next - taken() > ahead) {
            flush();
            EmitRequest question = request(next, List.of(), taken());
            answered(await(connection.call((stub, answer) -> stub.emit(question, answer))));
        }
    }

    @Override
    public long resume() {
        begin();
        next = Math.max(next, recorded);
        return next;
    }

    @Override
    public long flush() throws InterruptedException {
        begin();
        for (CompletableFuture<EmitReply> flight = flight(); flight != null; flight = flight()) {
            await(flight);
        }
        return Math.max(recorded, next);
    }

    /** Learns what former attempts have recorded. */
    private void begin() {
        if (recorded < 0) {
            EmitRequest question = request(0, List.of(), -1);
            answered(GatewayConnection.await(connection.call((stub, answer) -> stub.emit(question, answer))));
            sent = recorded;
        }
    }

    private synchronized boolean isFull(int more) {
        return waitingBytes + more > ItemRecords.CHUNK_BYTES_MAX || waiting.size() >= CHUNK_ITEMS_MAX;
    }

    private synchronized long taken() {
        return taken;
    }

    private synchronized @Nullable CompletableFuture<EmitReply> flight() {
        return flying;
    }

    private synchronized void answered(EmitReply reply) {
        recorded = reply.getRecorded();
        taken = reply.getTaken();
    }

    /** Sends what waits, unless a message is on its way. */
    private void send() {
        CompletableFuture<EmitReply> flight;
        EmitRequest message;
        synchronized (this) {
            if (flying != null || waiting.isEmpty()) {
                return;
            }
            message = request(sent, waiting, -1);
            sent += waiting.size();
            waiting = new ArrayList<>();
            waitingBytes = 0;
            flight = new CompletableFuture<>();
            flying = flight;
        }
        connection.<EmitReply>call((stub, answer) -> stub.emit(message, answer)).whenComplete((reply, failure) -> {
            if (failure != null) {
                flight.completeExceptionally(failure);
                return;
            }
            synchronized (this) {
                answered(reply);
                flying = null;
            }
            send();
            flight.complete(reply);
        });
    }

    private EmitRequest request(long first, List<ByteString> items, long takenBeyond) {
        return EmitRequest.newBuilder()
                .setId(Ids.bytes(id))
                .setClaim(claim)
                .setFirst(first)
                .addAllItems(items)
                .setTakenBeyond(takenBeyond)
                .build();
    }

    private EmitReply await(@Nullable CompletableFuture<EmitReply> answer) throws InterruptedException {
        if (answer == null) {
            return EmitReply.getDefaultInstance();
        }
        try {
            if (answer.isDone()) {
                return answer.get();
            }
            try (Caller.Pause paused = caller.pause()) {
                return answer.get();
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new RatchetException("The items could not be recorded: " + failed.getCause(), failed);
        }
    }
}
