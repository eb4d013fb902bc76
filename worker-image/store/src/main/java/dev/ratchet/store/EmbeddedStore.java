/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.log.DirectoryDisk;
import dev.ratchet.store.log.StoreDirectory;
import dev.ratchet.store.log.StoreDirectoryException;
import dev.ratchet.store.server.Served;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.StoreConnection;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An embedded store: the engine and, where it has a directory, its log. One process at a time holds a directory.
 * Closing it waits until what was committed is on the disk.
 */
public final class EmbeddedStore implements AutoCloseable {

    private static final int THREADS = 7;

    private final EmbeddedEngine engine;
    private final Environment environment;
    private final @Nullable StoreDirectory directory;
    private final @Nullable ExecutorService threads;
    private final AtomicBoolean backingUp = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedStore(
            EmbeddedEngine engine,
            Environment environment,
            @Nullable StoreDirectory directory,
            @Nullable ExecutorService threads) {
        this.engine = engine;
        this.environment = environment;
        this.directory = directory;
        this.threads = threads;
    }

    /**
     * Opens a store, with what an earlier process left in its directory.
     *
     * @throws StoreDirectoryException if the directory is held by another process, damaged, of a format that this
     *     release does not read, or can not be written; nothing is changed then
     */
    public static EmbeddedStore open(EmbeddedOptions options, Environment environment) {
        Path path = options.directory();
        if (path == null) {
            EmbeddedEngine engine =
                    new EmbeddedEngine(environment, options.engine(), Durability.NONE, StartingPoint.empty());
            return new EmbeddedStore(engine, environment, null, null);
        }
        // One writes the log, one takes checkpoints beside it, one writes a backup, the others read pages.
        ExecutorService threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().name("ratchet-store-", 0).daemon().factory());
        DirectoryDisk disk = new DirectoryDisk(path, options.syncs());
        StoreDirectory directory = StoreDirectory.open(disk, threads, environment, options.engine());
        return new EmbeddedStore(directory.engine(), environment, directory, threads);
    }

    /** A database on it. Closing the database does not close the store. */
    public Database database() {
        return new ConnectionDatabase(connection(), environment);
    }

    /** The engine itself, for a server; its close does nothing. */
    public StoreConnection connection() {
        return new SharedConnection(engine);
    }

    /** All of it, for a server. */
    public Served served() {
        return new Served(connection(), generation(), this::backup);
    }

    /** How often this store has been restored, from 1. */
    public long generation() {
        return directory == null ? 1 : directory.generation();
    }

    /**
     * Writes all that is committed now, while the store goes on. One backup is taken at a time.
     *
     * @param target is written front to back and may block; it is not closed
     * @return the version that the backup holds; fails with {@link StoreDirectoryException} if the target fails or
     *     another backup is being taken
     */
    public CompletableFuture<Long> backup(WritableByteChannel target) {
        if (!backingUp.compareAndSet(false, true)) {
            return CompletableFuture.failedFuture(
                    new StoreDirectoryException("Another backup is being taken; try again when it is done"));
        }
        CompletableFuture<Long> backup = directory == null || threads == null
                ? engine.freeze()
                        .thenApplyAsync(
                                state -> StoreDirectory.backup(target, generation(), state), environment.executor())
                : directory.backup(target, threads);
        return backup.whenComplete((version, failure) -> backingUp.set(false));
    }

    /**
     * Rewrites a directory of an older format in this release's; older releases can not open it afterwards. The
     * directory keeps what it has if this fails.
     *
     * @return the format that it had
     * @throws StoreDirectoryException if a store is open on the directory, or it is no store
     */
    public static int convert(Path directory) {
        try (DirectoryDisk disk = new DirectoryDisk(directory, true)) {
            return StoreDirectory.convert(disk);
        } catch (IOException e) {
            throw new StoreDirectoryException("Converting " + directory + " failed: " + e.getMessage(), e);
        }
    }

    /**
     * Replaces all that is in a directory by a backup, under the next generation and with versions above all that
     * either has ever handed out. The directory keeps what it has if this fails.
     *
     * @return the new generation, which no other restore has had as long as clocks go forward
     * @throws StoreDirectoryException if a store is open on the directory, or the file is no sound backup
     */
    public static long restore(Path file, Path directory, Environment environment) {
        try (DirectoryDisk disk = new DirectoryDisk(directory, true)) {
            return StoreDirectory.restore(file, disk, environment.wallClockMillis());
        } catch (IOException e) {
            throw new StoreDirectoryException(
                    "Restoring " + file + " to " + directory + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        engine.close();
        if (directory != null) {
            directory.close();
        }
        if (threads != null) {
            threads.shutdown();
        }
    }
}
