/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads results as bytes of somebody who may mean harm: see {@link ResultClasses} and {@link ResultFilter}. What may
 * take any time is read by a thread of its own, and given up after 10 s. Nothing ends such a thread, so that there are
 * never more than {@value #SLOW_READS_MAX}. Safe for use by several threads.
 */
public final class ResultReader {

    /** For what tasks read: what their code may do they can do anyway. */
    public static final ResultReader OF_TASKS = new ResultReader(ResultClasses.OF_TASKS, Optional.empty());

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int SLOW_READS_MAX = 4;
    private static final Semaphore SLOW_READS = new Semaphore(SLOW_READS_MAX);

    private final ResultClasses classes;
    private final Optional<Duration> limit;

    ResultReader(ResultClasses classes, Optional<Duration> limit) {
        this.classes = classes;
        this.limit = limit;
    }

    /** One of a program. */
    public ResultReader(ResultClasses classes) {
        this(classes, Optional.of(LIMIT));
    }

    /**
     * The object that was written.
     *
     * @throws ClassNotFoundException if the loader lacks a class
     * @throws IOException if the bytes do not fit the classes, or are refused
     */
    public @Nullable Object read(byte[] bytes, ClassLoader loader) throws IOException, ClassNotFoundException {
        ResultFilter filter = new ResultFilter(classes, bytes.length, limit.isEmpty());
        try {
            return read(bytes, loader, filter);
        } catch (IOException stopped) {
            if (!filter.isSlow()) {
                throw stopped;
            }
        }
        return readSlowly(bytes, loader, limit.orElseThrow());
    }

    private static @Nullable Object read(byte[] bytes, ClassLoader loader, ResultFilter filter)
            throws IOException, ClassNotFoundException {
        try {
            return CodeReader.read(Serialized.of(bytes), loader, Map.of(), filter);
        } catch (IOException refused) {
            String reason = filter.refusal();
            throw reason == null ? refused : new IOException(reason, refused);
        } catch (StackOverflowError deep) {
            throw new IOException("its objects are nested deeper than the stack of this thread has room for", deep);
        }
    }

    private @Nullable Object readSlowly(byte[] bytes, ClassLoader loader, Duration time)
            throws IOException, ClassNotFoundException {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon().name("ratchet-result").unstarted(() -> {
            try {
                result.complete(read(bytes, loader, new ResultFilter(classes, bytes.length, true)));
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            } finally {
                SLOW_READS.release();
            }
        });
        reader.setContextClassLoader(loader);
        try {
            if (!SLOW_READS.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("it holds sets or maps of sets, of which " + SLOW_READS_MAX
                        + " are being read that take longer than " + time.toMillis() + " ms");
            }
            reader.start();
            return result.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IOException("reading it takes longer than " + time.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("the thread was interrupted that read it", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ClassNotFoundException missing) {
                throw missing;
            }
            throw failed.getCause() instanceof IOException unreadable
                    ? unreadable
                    : new IOException(String.valueOf(failed.getCause()), failed.getCause());
        }
    }
}
