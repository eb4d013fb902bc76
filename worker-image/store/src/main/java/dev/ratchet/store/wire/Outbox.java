/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import com.google.protobuf.MessageLite;
import dev.ratchet.environment.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Turns messages from any number of threads into frames for one stream. Whoever adds while nobody sends, sends, at once
 * or at the end of its turn, and what others add meanwhile goes into the next frame: alone a message waits for nothing,
 * under load frames fill up by themselves. Frames keep the order of each thread's messages. Its length is limited by
 * those who add: they watch {@link #pendingBytes}.
 *
 * @param <M> what is sent
 */
public final class Outbox<M extends MessageLite> {

    private final ConcurrentLinkedQueue<M> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong pendingBytes = new AtomicLong();
    /** Calls of {@link #drain} not yet answered; whoever raises it from 0 is the one thread that sends. */
    private final AtomicInteger calls = new AtomicInteger();

    private final Runnable drain = this::drain;

    private final BooleanSupplier ready;
    private final Consumer<List<M>> send;
    private volatile boolean closed;

    /**
     * An empty one.
     *
     * @param ready whether the stream takes another frame now; when it turns true again, {@link #drain} must be called
     * @param send sends one frame; called by one thread at a time; must not throw
     */
    public Outbox(BooleanSupplier ready, Consumer<List<M>> send) {
        this.ready = ready;
        this.send = send;
    }

    /**
     * Sends {@code message} at the end of this thread's {@link Turn}, now where it has none, or with those of others.
     */
    public void add(M message) {
        pendingBytes.addAndGet(message.getSerializedSize());
        queue.add(message);
        if (!Turn.atEnd(drain)) {
            drain();
        }
    }

    /** Runs {@code producer}, and sends what it adds afterwards, in as few frames as fit. */
    public void batch(Runnable producer) {
        if (calls.getAndIncrement() == 0) {
            try {
                producer.run();
            } finally {
                answerCalls();
            }
        } else {
            producer.run();
            drain();
        }
    }

    /** Sends what waits, as far as the stream takes it. */
    public void drain() {
        if (calls.getAndIncrement() == 0) {
            answerCalls();
        }
    }

    /** Bytes of the messages that wait. */
    public long pendingBytes() {
        return pendingBytes.get();
    }

    /** Drops what waits and everything added from now on. */
    public void close() {
        closed = true;
        drain();
    }

    private void answerCalls() {
        int answered = 1;
        do {
            sendAll();
            answered = calls.addAndGet(-answered);
        } while (answered != 0);
    }

    private void sendAll() {
        while (!queue.isEmpty()) {
            if (closed) {
                queue.clear();
                pendingBytes.set(0);
                return;
            }
            if (!ready.getAsBoolean()) {
                return;
            }
            List<M> frame = new ArrayList<>();
            long bytes = 0;
            while (bytes < StoreProtocol.FRAME_BYTES) {
                M next = queue.poll();
                if (next == null) {
                    break;
                }
                frame.add(next);
                bytes += next.getSerializedSize();
            }
            pendingBytes.addAndGet(-bytes);
            send.accept(frame);
        }
    }
}
