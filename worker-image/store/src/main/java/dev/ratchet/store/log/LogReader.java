/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a log, piece by piece. The executor reads, checks and decodes some pieces ahead, beside the thread
 * that takes them: a start takes as long as the longer of the two works. A piece that the executor has not come to is
 * made by who takes it, so an executor of one thread, or one that runs nothing now, gives the same.
 *
 * <p>One thread takes, asks for the rest to be checked, and closes.
 */
final class LogReader implements Closeable {

    private static final int PIECE_BYTES = 1 << 20;
    /** So many are ahead, and one piece more. */
    private static final int AHEAD_BYTES_MAX = 4 << 20;

    private final Disk disk;
    private final Executor executor;
    private final LogScan scan;
    private final Queue<Piece> ahead = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytesAhead = new AtomicLong();
    private final AtomicBoolean helped = new AtomicBoolean();
    /** Held while a piece is made. Fair: who takes waits for one at most. */
    private final ReentrantLock making = new ReentrantLock(true);

    private boolean ended;

    /** Batches in order; null past the end, or where they could not be read. */
    private record Piece(
            @Nullable List<CommittedBatch> batches,
            long bytes,
            @Nullable Exception failure) {}

    LogReader(Disk disk, List<String> names, Executor executor) {
        this.disk = disk;
        this.executor = executor;
        scan = new LogScan(disk, names);
    }

    /**
     * The next batches, in order; null at the end, after which this is not called any more.
     *
     * @throws StoreDirectoryException if the log is damaged there
     */
    @Nullable
    List<CommittedBatch> next() throws IOException {
        Piece piece = ahead.poll();
        if (piece == null) {
            make(0);
            piece = ahead.remove();
        }
        bytesAhead.addAndGet(-piece.bytes);
        switch (piece.failure) {
            case null -> {}
            case IOException failure -> throw failure;
            case RuntimeException failure -> throw failure;
            default -> throw new IllegalStateException(piece.failure);
        }
        if (piece.batches != null && helped.compareAndSet(false, true)) {
            executor.execute(this::makeAhead);
        }
        return piece.batches;
    }

    private void makeAhead() {
        while (make(AHEAD_BYTES_MAX)) {
            // Until enough are there.
        }
        helped.set(false);
    }

    /** Makes a piece unless there are more bytes ahead, or no more pieces; returns whether it did. */
    private boolean make(long bytesAheadMax) {
        making.lock();
        try {
            if (ended || bytesAhead.get() > bytesAheadMax) {
                return false;
            }
            Piece piece = read();
            ended = piece.batches == null;
            bytesAhead.addAndGet(piece.bytes);
            ahead.add(piece);
            return true;
        } finally {
            making.unlock();
        }
    }

    private Piece read() {
        try {
            long before = scan.bytes();
            List<CommittedBatch> batches = new ArrayList<>();
            boolean atEnd = false;
            while (!atEnd && scan.bytes() - before < PIECE_BYTES) {
                ByteBuffer payload = scan.next();
                CommittedBatch batch =
                        payload == null ? null : LogRecord.read(payload).batch();
                if (batch != null) {
                    batches.add(batch);
                }
                atEnd = payload == null;
            }
            return new Piece(atEnd && batches.isEmpty() ? null : batches, scan.bytes() - before, null);
        } catch (IOException | RuntimeException e) {
            return new Piece(null, 0, e);
        }
    }

    /**
     * Looks through all that was not taken yet.
     *
     * @throws StoreDirectoryException if the log is damaged there
     */
    void checkRest() throws IOException {
        making.lock();
        try (LogScan rest = new LogScan(disk, scan.rest())) {
            while (rest.next() != null) {
                // Each is checked as it comes.
            }
        } finally {
            making.unlock();
        }
    }

    /** Once all batches were taken: makes them durable, cuts what is torn, and returns how many bytes count. */
    long settleEnd() throws IOException {
        scan.settleEnd();
        return scan.bytes();
    }

    @Override
    public void close() throws IOException {
        making.lock();
        try {
            ended = true;
            scan.close();
        } finally {
            making.unlock();
        }
    }
}
