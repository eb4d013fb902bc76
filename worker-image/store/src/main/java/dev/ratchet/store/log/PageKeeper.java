/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.environment.Environment;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.ordered.PageException;
import dev.ratchet.store.ordered.PagedTrees;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of data that rest on pages: writes the pages that have changed, then a root that counts, then deletes the
 * log up to it. The cost is what has changed since the last one, plus the moving of old pages when more than half of
 * what is in the files is garbage.
 *
 * <p>Invariant: a file of pages is deleted only when neither the newest root, nor a version that can still be read, nor
 * a backup that is being written needs it.
 */
final class PageKeeper implements Checkpoints {

    private static final Logger LOG = LoggerFactory.getLogger(PageKeeper.class);

    /** Replaying this much takes about a second. */
    static final long LOG_BYTES_MAX = 128L << 20;
    /** On a disk that is full or failing, each attempt would write in vain what it can. */
    private static final long SECONDS_AFTER_FAILURE = 10;

    private final Disk disk;
    private final StoreState state;
    private final Pages pages;
    private final LogWriter log;
    private final EmbeddedEngine engine;
    private final Environment environment;
    private final Executor executor;
    private final AtomicInteger readers = new AtomicInteger();
    private final ArrayDeque<Retired> retired = new ArrayDeque<>();
    private CompletableFuture<Long> current = CompletableFuture.completedFuture(0L);
    private volatile long dirtiedBefore;
    /** Whether the state to write is known: before, what it consists of may still have to go through the log. */
    private volatile boolean writing;

    private volatile boolean ended;
    /** When the last one failed; null after one that did not. */
    private volatile @Nullable Long failedNanos;

    private long liveBytes;
    private long oldestFile;

    /**
     * Files before a number that the root does not need. {@code afterVersion}: the last that may; not known for the
     * last entry.
     */
    private record Retired(long beforeFile, long afterVersion) {}

    PageKeeper(
            Disk disk,
            StoreState state,
            Pages pages,
            @Nullable RootFile root,
            LogWriter log,
            EmbeddedEngine engine,
            Environment environment,
            Executor executor) {
        this.disk = disk;
        this.state = state;
        this.pages = pages;
        this.log = log;
        this.engine = engine;
        this.environment = environment;
        this.executor = executor;
        if (root != null) {
            liveBytes = root.liveBytes();
            oldestFile = root.firstFile();
        }
    }

    @Override
    public void check() {
        long dirtyBytes = engine.dirtiedBytes() - dirtiedBefore;
        boolean full = dirtyBytes >= pages.dirtyBytesMax();
        if ((!full && log.bytesSinceCheckpoint() < LOG_BYTES_MAX) || hasJustFailed()) {
            return;
        }
        synchronized (this) {
            if (current.isDone()) {
                begin();
            } else if (full && writing) {
                log.hold();
                // It may have ended, and released the log, just before.
                if (current.isDone()) {
                    log.release();
                }
            }
        }
    }

    private boolean hasJustFailed() {
        Long failed = failedNanos;
        return failed != null && environment.nanoTime() - failed < TimeUnit.SECONDS.toNanos(SECONDS_AFTER_FAILURE);
    }

    @Override
    public synchronized CompletableFuture<Long> take() {
        return current.isDone()
                ? begin()
                : current.handle((version, error) -> take()).thenCompose(next -> next);
    }

    @Override
    public synchronized CompletableFuture<?> end() {
        ended = true;
        pages.files().stop();
        return current.handle((version, error) -> version);
    }

    private CompletableFuture<Long> begin() {
        if (ended) {
            return CompletableFuture.failedFuture(new StoreDirectoryException("The store is closed"));
        }
        log.checkpointBegins();
        CompletableFuture<Long> begun = engine.freeze().thenApplyAsync(this::write, executor);
        current = begun;
        begun.whenComplete((version, error) -> {
            writing = false;
            failedNanos = error == null ? null : (Long) environment.nanoTime();
            if (error != null && !ended) {
                Throwable cause = error.getCause() == null ? error : error.getCause();
                LOG.warn(
                        "{}; the log grows until one succeeds, the next is tried after {} s",
                        cause.getMessage(),
                        SECONDS_AFTER_FAILURE);
            }
            log.release();
        });
        return begun;
    }

    private long write(FrozenState frozen) {
        long dirtiedNow = engine.dirtiedBytes();
        long changedBytes = dirtiedNow - dirtiedBefore;
        dirtiedBefore = dirtiedNow;
        writing = true;
        try {
            oldestFile = oldestFileToKeep(changedBytes);
            PagedTrees.Root root = pages.trees().rest(frozen.data(), oldestFile);
            pages.files().sync();
            disk.syncDirectory();
            RootFile file = RootFile.of(frozen, root, pages.files().sizes());
            file.write(disk, state);
            liveBytes = file.liveBytes();
            // What the root does not need goes: no later one may count on it, as one with changes of old pages would.
            oldestFile = Math.max(oldestFile, file.firstFile());
            log.forgetUpTo(frozen.version());
            deleteOtherRoots(state.rootName(frozen.version()));
            pages.trees().relink(engine.newestData());
            retire(file.firstFile());
            return frozen.version();
        } catch (IOException | PageException e) {
            dirtiedBefore = dirtiedNow - changedBytes;
            throw new StoreDirectoryException(
                    "A checkpoint of the store in " + disk.describe() + " failed (" + e.getMessage() + ")", e);
        }
    }

    /** Moves nothing while half of all is needed, else about twice as much as is being written. */
    private long oldestFileToKeep(long changedBytes) throws IOException {
        long total = 0;
        Map<Long, Long> sizes = pages.files().sizes();
        for (Map.Entry<Long, Long> file : sizes.entrySet()) {
            total += file.getKey() < oldestFile ? 0 : file.getValue();
        }
        long budget = 2 * changedBytes + pages.files().fileBytesMax();
        long keepFrom = oldestFile;
        long lastFile = sizes.keySet().stream().reduce(0L, Math::max);
        for (Map.Entry<Long, Long> file : sizes.entrySet()) {
            // The last one is still written to.
            boolean movable = file.getKey() >= oldestFile && file.getKey() < lastFile;
            if (movable && total > 2 * liveBytes + pages.files().fileBytesMax() && budget > 0) {
                total -= file.getValue();
                budget -= file.getValue();
                keepFrom = file.getKey() + 1;
            }
        }
        return keepFrom;
    }

    private void deleteOtherRoots(String name) throws IOException {
        for (String other : disk.list()) {
            if (state.owns(other) && other.endsWith(".root") && !other.equals(name)) {
                disk.delete(other);
            }
        }
    }

    /**
     * What this checkpoint has made superfluous can be deleted once the next one is done, since trees made while this
     * one was written may refer to what it moved, and when no version from before is readable any more.
     */
    private void retire(long beforeFile) throws IOException {
        long newest = engine.newestVersion();
        Retired before = retired.pollLast();
        if (before != null) {
            retired.add(new Retired(before.beforeFile, newest));
        }
        while (!retired.isEmpty() && readers.get() == 0 && retired.getFirst().afterVersion < engine.oldestVersion()) {
            pages.files().deleteBefore(retired.removeFirst().beforeFile);
        }
        retired.add(new Retired(beforeFile, 0));
    }

    @Override
    public void readerComes() {
        readers.incrementAndGet();
    }

    @Override
    public void readerGoes() {
        readers.decrementAndGet();
    }
}
