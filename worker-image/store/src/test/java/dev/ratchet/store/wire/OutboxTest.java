/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.store.v1.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private final List<List<Piece>> frames = new ArrayList<>();
    private final AtomicBoolean ready = new AtomicBoolean(true);
    private final Outbox<Piece> outbox = new Outbox<>(ready::get, frames::add);

    @Test
    void aMessageAloneGoesAtOnce() {
        outbox.add(piece(10));
        outbox.add(piece(10));
        assertThat(frames).extracting(List::size).containsExactly(1, 1);
    }

    @Test
    void messagesOfABatchShareFramesUpToTheirSize() {
        outbox.batch(() -> {
            for (int i = 0; i < 10; i++) {
                outbox.add(piece(StoreProtocol.FRAME_BYTES / 4));
            }
        });
        assertThat(frames).extracting(List::size).containsExactly(4, 4, 2);
    }

    @Test
    void nothingGoesWhileTheStreamIsNotReady() {
        ready.set(false);
        outbox.add(piece(1000));
        assertThat(frames).isEmpty();
        assertThat(outbox.pendingBytes()).isGreaterThanOrEqualTo(1000);
        ready.set(true);
        outbox.drain();
        assertThat(frames).hasSize(1);
        assertThat(outbox.pendingBytes()).isZero();
    }

    @Test
    void aClosedOneForgetsWhatWaits() {
        ready.set(false);
        outbox.add(piece(1000));
        outbox.close();
        ready.set(true);
        outbox.add(piece(1000));
        assertThat(frames).isEmpty();
        assertThat(outbox.pendingBytes()).isZero();
    }

    @Test
    void manyThreadsLoseNothingAndSendOneAtATime() throws Exception {
        Set<ByteString> sent = ConcurrentHashMap.newKeySet();
        AtomicInteger senders = new AtomicInteger();
        AtomicBoolean overlapped = new AtomicBoolean();
        Outbox<Piece> shared = new Outbox<>(() -> true, frame -> {
            overlapped.compareAndSet(false, senders.incrementAndGet() > 1);
            frame.forEach(piece -> sent.add(piece.getBytes()));
            senders.decrementAndGet();
        });
        CountDownLatch done = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            int own = thread;
            Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 5_000; i++) {
                    shared.add(Piece.newBuilder()
                            .setBytes(ByteString.copyFromUtf8(own + "-" + i))
                            .build());
                }
                done.countDown();
            });
        }
        done.await();
        assertThat(sent).hasSize(20_000);
        assertThat(overlapped).isFalse();
    }

    private static Piece piece(int bytes) {
        return Piece.newBuilder().setBytes(ByteString.copyFrom(new byte[bytes])).build();
    }
}
