/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.environment.Environment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An engine on a disk: opens it, keeps it in order, backs it up and restores it. */
public final class StoreDirectory implements AutoCloseable {

    private static final long CLOSE_SECONDS_MAX = 60;
    /** Three years of versions: nobody knows how long the store went on after the backup was taken. */
    private static final long RESTORE_JUMP_VERSIONS = 100_000_000_000_000L;

    private final Disk disk;
    private final StoreState state;
    private final LogWriter log;
    private final EmbeddedEngine engine;
    private final SnapshotKeeper snapshots;

    private StoreDirectory(
            Disk disk, StoreState state, LogWriter log, EmbeddedEngine engine, SnapshotKeeper snapshots) {
        this.disk = disk;
        this.state = state;
        this.log = log;
        this.engine = engine;
        this.snapshots = snapshots;
    }

    /**
     * Opens what is on a disk, or begins there.
     *
     * @param executor runs the blocking calls; may be single-threaded
     * @throws StoreDirectoryException if it is damaged or of another format; the disk is closed then
     */
    public static StoreDirectory open(Disk disk, Executor executor, Environment environment, EngineSettings settings) {
        try {
            StoreState state = StoreState.read(disk);
            if (state == null) {
                state = StoreState.first();
                state.write(disk);
            }
            Recovery.Found found = Recovery.recover(disk, state);
            LogWriter log = new LogWriter(disk, state, found, executor);
            EmbeddedEngine engine = new EmbeddedEngine(environment, settings, log, found.start());
            SnapshotKeeper snapshots = new SnapshotKeeper(disk, state, log, engine, executor);
            log.onGrowth(snapshots::check);
            return new StoreDirectory(disk, state, log, engine, snapshots);
        } catch (IOException e) {
            closeAfter(disk, e);
            throw new StoreDirectoryException(
                    "The store in " + disk.describe() + " can not be opened (" + e.getMessage() + ")", e);
        } catch (StoreDirectoryException e) {
            closeAfter(disk, e);
            throw e;
        }
    }

    private static void closeAfter(Disk disk, Exception cause) {
        try {
            disk.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** The engine. */
    public EmbeddedEngine engine() {
        return engine;
    }

    /** How often this store has been restored, from 1. */
    public long generation() {
        return state.generation();
    }

    /** Takes a snapshot now, after which the log before it is not needed. */
    public CompletableFuture<Long> snapshot() {
        return snapshots.take();
    }

    /** Writes a backup and returns the version it holds. */
    public static long backup(WritableByteChannel target, long generation, FrozenState state) throws IOException {
        SnapshotFile.write(
                bytes -> {
                    while (bytes.hasRemaining()) {
                        target.write(bytes);
                    }
                },
                new SnapshotFile.Content(StoreState.FORMAT, generation, state));
        return state.version();
    }

    /**
     * Replaces what is on a disk by a backup and returns the new generation. Until its last step nothing is changed.
     * Generation and versions are raised above what backup and disk know, and above the clock: a backup that is
     * restored twice, each time to an empty disk, must not give the same ones twice.
     */
    public static long restore(Path path, Disk disk, long wallClockMillis) throws IOException {
        SnapshotFile.Content backup;
        try (Disk.File file = new ChannelFile(FileChannel.open(path, StandardOpenOption.READ), false)) {
            backup = SnapshotFile.read(file, path.toString());
        }
        StoreState before = StoreState.read(disk);
        long former = Math.max(backup.generation(), before == null ? 0 : before.generation());
        long generation = Math.max(former + 1, wallClockMillis / 1000);
        long epoch = before == null ? 1 : before.epoch();
        long newest = Math.max(backup.state().reservedVersion(), before == null ? 0 : before.firstVersion());
        long version = Math.max(newest, wallClockMillis * 1000) + RESTORE_JUMP_VERSIONS;
        StoreState after = new StoreState(StoreState.FORMAT, generation, epoch + 1, version);
        String name = after.snapshotName(version);
        if (disk.list().contains(name)) {
            disk.delete(name);
        }
        FrozenState restored = new FrozenState(version, version, backup.state().data(), java.util.Map.of());
        try (Disk.File file = disk.create(name)) {
            SnapshotFile.write(file, new SnapshotFile.Content(StoreState.FORMAT, after.generation(), restored));
        }
        disk.syncDirectory();
        after.write(disk);
        return after.generation();
    }

    /** Waits until all that was committed is durable, then lets the disk go. The engine must be closed before. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        log.close(error -> {
            if (error == null) {
                closed.complete(null);
            } else {
                closed.completeExceptionally(error);
            }
        });
        try (disk) {
            closed.get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | java.util.concurrent.ExecutionException | TimeoutException e) {
            throw new StoreDirectoryException(
                    "The store in " + disk.describe()
                            + " could not be closed in order; its log is read again at the next start",
                    e);
        }
    }
}
