/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-ahead log: all batches that have gathered while the disk was busy are written as one group and made durable
 * by one sync. Files are cut at a size, so that those that a checkpoint covers can go.
 *
 * <p>Invariant: a group is written only when the one before it is durable, so a crash can tear the last group alone,
 * and anything damaged before it is damage. Blocking calls run on the executor that it is given, one at a time.
 */
public final class LogWriter implements Durability {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

    static final long FILE_BYTES_MAX = 16L << 20;
    /** The first file of a life is short, since a start waits until room for it is made. */
    private static final long FIRST_FILE_BYTES_MAX = 1L << 20;

    /** What a disk answers at a time without being much slower for each. */
    static final int READS_AT_ONCE = 4;

    private final Disk disk;
    private final StoreState state;
    private final Executor executor;
    private final Executor reads;
    private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final FrameWriter frames = new FrameWriter();
    private Disk.File file;
    private long sequence;
    private long fileBytesMax = FIRST_FILE_BYTES_MAX;
    private volatile @Nullable Spare spare;
    private volatile long newestVersion;
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private volatile Runnable onGrowth = () -> {};
    private volatile @Nullable IOException failure;
    private volatile boolean held;
    private volatile boolean closing;
    private volatile CompletableFuture<@Nullable Void> preparing = CompletableFuture.completedFuture(null);
    private final List<Closed> closedFiles = new ArrayList<>();

    private record Waiting(@Nullable CommittedBatch batch, Consumer<@Nullable Throwable> done) {}

    /** A file that is ready to be the next one, and its name until then. */
    private record Spare(String name, Disk.File file) {}

    /** A file that is not written any more, and the newest version in it. */
    private record Closed(String name, long newestVersion) {}

    /** Goes on with a new file after those that were recovered. */
    LogWriter(Disk disk, StoreState state, Recovery.Found found, Executor executor) throws IOException {
        this.disk = disk;
        this.state = state;
        this.executor = executor;
        reads = new LimitedExecutor(READS_AT_ONCE, executor);
        newestVersion = found.start().version();
        bytesSinceCheckpoint.set(found.logBytes());
        for (String name : found.logs()) {
            closedFiles.add(new Closed(name, newestVersion));
        }
        sequence = found.nextSequence();
        file = disk.create(state.logName(sequence));
        file.reserve(FIRST_FILE_BYTES_MAX);
        disk.syncDirectory();
        prepareNext();
    }

    /** Makes a file ready beside the work on this one, under a name that does not count yet. One at a time. */
    private void prepareNext() {
        if (spare != null || !preparing.isDone()) {
            return;
        }
        String name = state.spareName(sequence + 1);
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        preparing = done;
        executor.execute(() -> {
            try {
                if (closing) {
                    return;
                }
                if (disk.list().contains(name)) {
                    disk.delete(name);
                }
                spare = makeReady(name);
            } catch (IOException e) {
                LOG.debug(
                        "No file of the log could be made ready in advance; the next one is made when it is needed", e);
            } finally {
                done.complete(null);
            }
        });
    }

    /** On a disk that is nearly full what it has left is for commits, not for a file that can not be made ready. */
    private Spare makeReady(String name) throws IOException {
        Disk.File next = disk.create(name);
        try {
            next.reserve(FILE_BYTES_MAX);
            return new Spare(name, next);
        } catch (IOException e) {
            next.close();
            disk.delete(name);
            throw e;
        }
    }

    /** Calls back, on the executor, when the log has grown. */
    void onGrowth(Runnable action) {
        onGrowth = action;
    }

    /** Bytes written since the last checkpoint was begun. */
    long bytesSinceCheckpoint() {
        return bytesSinceCheckpoint.get();
    }

    @Override
    public Executor reads() {
        return reads;
    }

    @Override
    public void append(CommittedBatch batch, Consumer<@Nullable Throwable> done) {
        enqueue(new Waiting(batch, done));
    }

    /** Runs an action between two groups, without a disk error of its own being possible. */
    private void enqueue(Waiting waiting) {
        queue.add(waiting);
        schedule();
    }

    /** Lets what is appended wait until {@link #release}: a checkpoint must catch up first. */
    void hold() {
        held = true;
    }

    void release() {
        held = false;
        if (!queue.isEmpty()) {
            schedule();
        }
    }

    private void schedule() {
        if (takeFlush()) {
            executor.execute(this::flush);
        }
    }

    private boolean takeFlush() {
        return !held && scheduled.compareAndSet(false, true);
    }

    private void flush() {
        do {
            try {
                flushGroup();
            } finally {
                scheduled.set(false);
            }
        } while (!queue.isEmpty() && takeFlush());
    }

    /** Whatever happens, all of the group are told. */
    private void flushGroup() {
        List<Waiting> group = new ArrayList<>();
        IOException error = flush(group);
        GuardedCallbacks.each("telling what is in the log", group, waiting -> waiting.done.accept(error));
        if (error == null) {
            GuardedCallbacks.run("looking for the next checkpoint", onGrowth);
        }
    }

    /** Why it can not be written, if it can not. */
    private @Nullable IOException flush(List<Waiting> group) {
        try {
            frames.clear();
            long durableBefore = failure == null ? file.size() : 0;
            Waiting next;
            while (frames.size() < LogFrames.PAYLOAD_BYTES_MAX && (next = queue.poll()) != null) {
                group.add(next);
                CommittedBatch batch = next.batch;
                if (batch == null) {
                    LogRecord.writeMark(frames, durableBefore);
                } else {
                    LogRecord.write(frames, durableBefore, batch);
                }
            }
            return failure == null && !group.isEmpty() ? write(group, durableBefore) : failure;
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException | Error unexpected) {
            failure = new IOException(
                    "writing the log in " + disk.describe() + " failed as nobody expects (" + unexpected
                            + "); all that was acknowledged is safe. Restart",
                    unexpected);
        }
        return failure;
    }

    private @Nullable IOException write(List<Waiting> group, long durableBefore) {
        try {
            int size = frames.size();
            file.append(frames.content());
            file.sync();
            bytesSinceCheckpoint.addAndGet(size);
            CommittedBatch last = group.getLast().batch;
            newestVersion = last == null ? newestVersion : last.version();
            if (file.size() >= fileBytesMax) {
                nextFile();
            }
            return null;
        } catch (IOException e) {
            failure = new IOException(
                    "writing the log in " + disk.describe() + " failed (" + e.getMessage()
                            + "); all that was acknowledged is safe. Make room or replace the disk, then restart",
                    e);
            try {
                // The next start would find it, and a sync of its own may succeed without writing it.
                file.truncate(durableBefore);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            return failure;
        }
    }

    /** Goes on with another file. All of this one is durable, and fills the room that was reserved for it. */
    private void nextFile() throws IOException {
        file.close();
        synchronized (closedFiles) {
            closedFiles.add(new Closed(state.logName(sequence), newestVersion));
        }
        sequence++;
        Spare ready = spare;
        if (ready == null) {
            file = disk.create(state.logName(sequence));
        } else {
            spare = null;
            disk.rename(ready.name, state.logName(sequence));
            file = ready.file;
        }
        disk.syncDirectory();
        fileBytesMax = FILE_BYTES_MAX;
        prepareNext();
    }

    /** A checkpoint is about to be taken. */
    void checkpointBegins() {
        bytesSinceCheckpoint.set(0);
    }

    /** Deletes the files that hold nothing newer than a durable checkpoint. */
    void forgetUpTo(long version) throws IOException {
        List<Closed> covered;
        synchronized (closedFiles) {
            covered = closedFiles.stream()
                    .filter(closed -> closed.newestVersion <= version)
                    .toList();
            closedFiles.removeAll(covered);
        }
        for (Closed closed : covered) {
            disk.delete(closed.name);
        }
    }

    /** Writes a mark behind all that was appended, then closes the file and calls back on the executor. */
    void close(Consumer<@Nullable Throwable> done) {
        closing = true;
        release();
        enqueue(new Waiting(null, error -> preparing.thenRun(() -> closeFiles(error, done))));
    }

    private void closeFiles(@Nullable Throwable error, Consumer<@Nullable Throwable> done) {
        try {
            file.truncate(file.size());
            file.close();
            Spare unused = spare;
            if (unused != null) {
                unused.file.close();
                disk.delete(unused.name);
            }
            done.accept(error);
        } catch (IOException e) {
            done.accept(e);
        }
    }
}
