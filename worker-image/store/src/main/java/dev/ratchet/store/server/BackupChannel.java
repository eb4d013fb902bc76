/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.store.v1.BackupDone;
import dev.ratchet.protocol.store.v1.BackupPiece;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way of a backup to its caller. Writing blocks while the caller does not take what was sent, so that a slow one
 * costs no memory, and fails when it takes nothing for {@value #PATIENCE_SECONDS} s or is gone. One thread writes.
 */
final class BackupChannel implements WritableByteChannel {

    private static final int PIECE_BYTES = 1 << 20;
    private static final long PATIENCE_SECONDS = 60;

    private final ServerCallStreamObserver<BackupPiece> stream;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong sentBytes = new AtomicLong();

    BackupChannel(ServerCallStreamObserver<BackupPiece> stream) {
        this.stream = stream;
        stream.setOnReadyHandler(this::wake);
        stream.setOnCancelHandler(this::wake);
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long sentBytes() {
        return sentBytes.get();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        awaitReady();
        int count = Math.min(source.remaining(), PIECE_BYTES);
        ByteString bytes = ByteString.copyFrom(source, count);
        stream.onNext(BackupPiece.newBuilder().setBytes(bytes).build());
        sentBytes.addAndGet(count);
        return count;
    }

    private void awaitReady() throws IOException {
        lock.lock();
        try {
            long leftNanos = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!stream.isReady() && !stream.isCancelled() && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("the store is being stopped", stopped);
        } finally {
            lock.unlock();
        }
        if (stream.isCancelled()) {
            throw new IOException("the caller is gone");
        }
        if (!stream.isReady()) {
            throw new IOException("the caller took nothing for " + PATIENCE_SECONDS + " s");
        }
    }

    void complete(BackupDone done) {
        if (!stream.isCancelled()) {
            stream.onNext(BackupPiece.newBuilder().setDone(done).build());
            stream.onCompleted();
        }
    }

    void fail(Status status) {
        if (!stream.isCancelled()) {
            stream.onError(status.asRuntimeException());
        }
    }

    @Override
    public boolean isOpen() {
        return !stream.isCancelled();
    }

    @Override
    public void close() {}
}
