/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchWire;
import dev.ratchet.dataflow.ShareFeed.Subscription;
import dev.ratchet.dataflow.ShareListener;
import dev.ratchet.protocol.dataflow.v1.ShareEnded;
import dev.ratchet.protocol.dataflow.v1.ShareEvent;
import dev.ratchet.protocol.dataflow.v1.ShareExpired;
import dev.ratchet.protocol.dataflow.v1.ShareProgress;
import dev.ratchet.protocol.dataflow.v1.ShareRows;
import io.grpc.stub.ServerCallStreamObserver;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one share to one reader as fast as it takes it. What waits holds batches and not bytes, and is bounded: a
 * reader that falls further behind is told so, and what waited is dropped. All state belongs to the serial executor.
 */
final class ShareSender implements ShareListener {

    private static final int PIECE_BYTES = 1 << 20;

    /** What a batch of few rows takes beside them. */
    private static final int BATCH_BYTES = 256;

    /** @param batch the rows of a snapshot or of changes, otherwise none */
    private record Waiting(ShareEvent event, @Nullable Batch batch, boolean isSnapshot) {
        long bytes() {
            return batch == null ? 0 : BATCH_BYTES + batch.byteCount();
        }
    }

    private final ServerCallStreamObserver<ShareEvent> responses;
    private final SerialExecutor executor;
    private final long waitingBytesMax;
    private final IntSupplier level;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final AtomicLong waitingBytes = new AtomicLong();

    /** What is left of the batch that is being sent. */
    private @Nullable ByteBuffer rest;

    private @Nullable Subscription subscription;
    private boolean dropped;
    private boolean ended;

    ShareSender(
            ServerCallStreamObserver<ShareEvent> responses,
            SerialExecutor executor,
            long waitingBytesMax,
            IntSupplier level) {
        this.responses = responses;
        this.executor = executor;
        this.waitingBytesMax = waitingBytesMax;
        this.level = level;
    }

    void start(Function<ShareListener, Subscription> feed) {
        responses.setOnReadyHandler(() -> executor.execute(this::send));
        responses.setOnCancelHandler(() -> executor.execute(this::end));
        Subscription begun = feed.apply(this);
        executor.execute(() -> {
            subscription = begun;
            if (ended) {
                begun.close();
            }
        });
    }

    @Override
    public void snapshot(long step, Batch rows) {
        add(new Waiting(ShareEvent.newBuilder().setStep(step).build(), rows, true));
    }

    @Override
    public void changes(long step, Batch rows) {
        add(new Waiting(ShareEvent.newBuilder().setStep(step).build(), rows, false));
    }

    @Override
    public void progress(long step) {
        tell(ShareEvent.newBuilder().setStep(step).setProgress(ShareProgress.getDefaultInstance()));
    }

    @Override
    public void expired(long oldestStep) {
        tell(ShareEvent.newBuilder().setStep(oldestStep).setExpired(ShareExpired.getDefaultInstance()));
    }

    @Override
    public void ended(String reason) {
        tell(ending(reason));
    }

    private static ShareEvent.Builder ending(String reason) {
        return ShareEvent.newBuilder().setEnded(ShareEnded.newBuilder().setReason(reason));
    }

    private void tell(ShareEvent.Builder event) {
        add(new Waiting(event.build(), null, false));
    }

    /** Called by one thread at a time, as are all methods of the listener. */
    private void add(Waiting next) {
        long before = waitingBytes.get();
        // The first may be of any size: rows that nobody else waits for are those that the view keeps anyway.
        boolean isFull = before > 0 && before + next.bytes() > waitingBytesMax;
        if (!isFull) {
            waitingBytes.addAndGet(next.bytes());
        }
        executor.execute(() -> {
            if (!ended && !dropped) {
                if (isFull) {
                    drop(before);
                } else {
                    queue(next);
                }
                send();
            }
        });
    }

    private void queue(Waiting next) {
        Waiting last = waiting.peekLast();
        if (last != null && last.event().hasProgress() && next.event().hasProgress()) {
            waiting.removeLast();
        }
        waiting.add(next);
    }

    private void drop(long bytes) {
        dropped = true;
        waiting.clear();
        // The reader drops the batch that was sent in part.
        rest = null;
        String reason = "The reader is too slow: " + bytes + " bytes waited for it, the limit is " + waitingBytesMax;
        waiting.add(new Waiting(ending(reason).build(), null, false));
    }

    private void send() {
        while (!ended && responses.isReady() && !waiting.isEmpty()) {
            Waiting next = waiting.getFirst();
            if (next.batch() == null) {
                responses.onNext(next.event());
                waiting.removeFirst();
                if (next.event().hasEnded() || next.event().hasExpired()) {
                    responses.onCompleted();
                    end();
                }
            } else {
                sendPiece(next, next.batch());
            }
        }
    }

    private void sendPiece(Waiting next, Batch batch) {
        ByteBuffer bytes = rest == null ? BatchWire.encode(batch, level.getAsInt()) : rest;
        int length = Math.min(PIECE_BYTES, bytes.remaining());
        ByteString piece = UnsafeByteOperations.unsafeWrap(bytes.slice(bytes.position(), length));
        bytes.position(bytes.position() + length);
        boolean goesOn = bytes.hasRemaining();
        rest = goesOn ? bytes : null;
        ShareRows rows =
                ShareRows.newBuilder().setPiece(piece).setGoesOn(goesOn).build();
        ShareEvent.Builder event = next.event().toBuilder();
        responses.onNext((next.isSnapshot() ? event.setSnapshot(rows) : event.setChanges(rows)).build());
        if (!goesOn) {
            waiting.removeFirst();
            waitingBytes.addAndGet(-next.bytes());
        }
    }

    private void end() {
        ended = true;
        waiting.clear();
        rest = null;
        if (subscription != null) {
            subscription.close();
        }
    }
}
