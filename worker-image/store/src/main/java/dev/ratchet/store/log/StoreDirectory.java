/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.environment.Environment;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.ordered.PageException;
import dev.ratchet.store.ordered.TreeCursor;
import dev.ratchet.store.transaction.Keys;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An engine on a disk: opens it, keeps it in order, backs it up and restores it. */
public final class StoreDirectory implements AutoCloseable {

    private static final long CLOSE_SECONDS_MAX = 60;
    /** Three years of versions: nobody knows how long the store went on after the backup was taken. */
    private static final long RESTORE_JUMP_VERSIONS = 100_000_000_000_000L;

    private final Disk disk;
    private final StoreState state;
    private final LogWriter log;
    private final EmbeddedEngine engine;
    private final Checkpoints checkpoints;
    private final @Nullable Pages pages;

    private StoreDirectory(
            Disk disk,
            StoreState state,
            LogWriter log,
            EmbeddedEngine engine,
            Checkpoints checkpoints,
            @Nullable Pages pages) {
        this.disk = disk;
        this.state = state;
        this.log = log;
        this.engine = engine;
        this.checkpoints = checkpoints;
        this.pages = pages;
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
            Pages pages = state.isPaged() ? Pages.of(disk, state, settings.dataBytesMax()) : null;
            Recovery.Found found = Recovery.recover(disk, state, pages, executor);
            LogWriter log = new LogWriter(disk, state, found, executor);
            EmbeddedEngine engine = new EmbeddedEngine(environment, settings, log, found.start());
            Checkpoints checkpoints = pages == null
                    ? new SnapshotKeeper(disk, state, log, engine, executor)
                    : new PageKeeper(disk, state, pages, found.root(), log, engine, environment, executor);
            log.onGrowth(checkpoints::check);
            return new StoreDirectory(disk, state, log, engine, checkpoints, pages);
        } catch (IOException e) {
            closeAfter(disk, e);
            throw new StoreDirectoryException(
                    "The store in " + disk.describe() + " can not be opened (" + e.getMessage()
                            + "); all that was acknowledged is safe. Make room or replace the disk, then start again",
                    e);
        } catch (PageException e) {
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

    /** Brings all that is committed now to rest, after which the log before it is not needed. */
    public CompletableFuture<Long> checkpoint() {
        return checkpoints.take();
    }

    /** Writes all that is committed now, on the executor, and returns the version that the backup holds. */
    public CompletableFuture<Long> backup(WritableByteChannel target, Executor executor) {
        checkpoints.readerComes();
        return engine.freeze()
                .thenApplyAsync(frozen -> backup(target, generation(), frozen), executor)
                .whenComplete((version, error) -> checkpoints.readerGoes());
    }

    /** Writes a backup and returns the version it holds. */
    public static long backup(WritableByteChannel target, long generation, FrozenState state) {
        try {
            SnapshotFile.write(
                    bytes -> {
                        while (bytes.hasRemaining()) {
                            target.write(bytes);
                        }
                    },
                    generation,
                    state);
            return state.version();
        } catch (IOException | PageException e) {
            throw new StoreDirectoryException("Writing the backup failed: " + e.getMessage(), e);
        }
    }

    /**
     * Replaces what is on a disk by a backup and returns the new generation. Until its last step nothing is changed.
     * Generation and versions are raised above what backup and disk know, and above the clock: a backup that is
     * restored twice, each time to an empty disk, must not give the same ones twice.
     */
    public static long restore(Path path, Disk disk, long wallClockMillis) throws IOException {
        StoreState before = StoreState.read(disk);
        long epoch = before == null ? 1 : before.epoch();
        try (Disk.File file = new ChannelFile(path, false);
                Replacement replacement = new Replacement(disk, epoch + 1)) {
            SnapshotFile.Header backup = SnapshotFile.read(file, path.toString(), replacement::add);
            long former = Math.max(backup.generation(), before == null ? 0 : before.generation());
            long generation = Math.max(former + 1, wallClockMillis / 1000);
            long newest = Math.max(backup.reservedVersion(), before == null ? 0 : before.firstVersion());
            long version = Math.max(newest, wallClockMillis * 1000) + RESTORE_JUMP_VERSIONS;
            replacement.finish(generation, version, Map.of());
            return generation;
        }
    }

    /**
     * Rewrites a directory of an older format in the newest one; returns the format that it had. Until its last step
     * nothing is changed.
     */
    public static int convert(Disk disk) throws IOException {
        StoreState before = StoreState.read(disk);
        if (before == null) {
            throw new StoreDirectoryException(
                    "The directory " + disk.describe() + " is empty: there is nothing to convert");
        }
        if (before.format() == StoreState.FORMAT) {
            return before.format();
        }
        Recovery.Found found = Recovery.recover(disk, before, null, Runnable::run);
        try (Replacement replacement = new Replacement(disk, before.epoch() + 1)) {
            TreeCursor<byte[]> cursor = found.start().data().cursor();
            for (boolean more = cursor.seekCeiling(Keys.FIRST); more; more = cursor.next()) {
                replacement.add(cursor.key(), cursor.value());
            }
            replacement.finish(
                    before.generation(), found.start().version(), found.start().outcomes());
        }
        return before.format();
    }

    /** Waits until all that was committed is durable, then lets the disk go. The engine must be closed before. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        checkpoints
                .end()
                .thenRun(() -> log.close(error -> {
                    if (error == null) {
                        closed.complete(null);
                    } else {
                        closed.completeExceptionally(error);
                    }
                }));
        try (disk;
                PageFiles files = pages == null ? null : pages.files()) {
            closed.get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new StoreDirectoryException(
                    "The store in " + disk.describe()
                            + " could not be closed in order; its log is read again at the next start",
                    e);
        }
    }
}
