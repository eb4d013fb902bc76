/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.FrozenState;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of a directory of format 1, whose data are in memory: takes a snapshot whenever the log has grown enough,
 * so that a restart reads little of it, and deletes what the snapshot makes superfluous. Commits go on meanwhile: a
 * snapshot is of one version of the data, which nothing changes.
 */
final class SnapshotKeeper implements Checkpoints {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotKeeper.class);

    /** Replaying this much takes about a second. */
    static final long LOG_BYTES_MIN = 192L << 20;
    /** However large the data are, the log does not grow beyond this before the next snapshot. */
    static final long LOG_BYTES_MAX = 768L << 20;

    private final Disk disk;
    private final StoreState state;
    private final LogWriter log;
    private final EmbeddedEngine engine;
    private final Executor executor;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile long dataBytes;
    private volatile boolean ended;
    private volatile CompletableFuture<Long> current = CompletableFuture.completedFuture(0L);

    SnapshotKeeper(Disk disk, StoreState state, LogWriter log, EmbeddedEngine engine, Executor executor) {
        this.disk = disk;
        this.state = state;
        this.log = log;
        this.engine = engine;
        this.executor = executor;
    }

    @Override
    public void check() {
        long due = Math.clamp(dataBytes / 2, LOG_BYTES_MIN, LOG_BYTES_MAX);
        if (log.bytesSinceCheckpoint() >= due && running.compareAndSet(false, true)) {
            take().whenComplete((nothing, error) -> {
                running.set(false);
                if (error != null) {
                    LOG.warn("Taking a snapshot of the store failed; the log keeps growing until one succeeds", error);
                }
            });
        }
    }

    @Override
    public CompletableFuture<Long> take() {
        if (ended) {
            return CompletableFuture.failedFuture(new StoreDirectoryException("The store is closed"));
        }
        log.checkpointBegins();
        CompletableFuture<Long> taken = engine.freeze().thenApplyAsync(this::write, executor);
        current = taken;
        return taken;
    }

    @Override
    public CompletableFuture<?> end() {
        ended = true;
        return current.handle((version, error) -> version);
    }

    private long write(FrozenState frozen) {
        String name = state.snapshotName(frozen.version());
        String part = state.partName(frozen.version());
        dataBytes = frozen.data().weight();
        try {
            try (Disk.File file = disk.create(part)) {
                SnapshotFile.write(file, state.generation(), frozen);
            }
            disk.rename(part, name);
            disk.syncDirectory();
            log.forgetUpTo(frozen.version());
            for (String other : disk.list()) {
                if (state.owns(other) && other.endsWith(".snapshot") && !other.equals(name)) {
                    disk.delete(other);
                }
            }
            return frozen.version();
        } catch (IOException e) {
            throw new StoreDirectoryException("Writing the snapshot " + name + " in " + disk.describe() + " failed", e);
        }
    }
}
