/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.log.StoredInputLog;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sources of a circuit in the process that holds the term: each is looked at when it says so, again and again, one
 * look at a time. What a look finds does not depend on this process, but on the sequence that the log has. Safe for use
 * by several threads; nothing blocks.
 */
public final class Sources implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sources.class);
    private static final long RETRY_MILLIS = 1_000;

    private final StoredInputLog log;
    private final Supplier<CompiledProgram> program;
    private final Environment environment;
    private final Map<InputSource, Loop> loops = new LinkedHashMap<>();
    private boolean closed;

    /** @param program that runs; throws {@link InputFullException} where it is not known yet */
    public Sources(StoredInputLog log, Supplier<CompiledProgram> program, Environment environment) {
        this.log = log;
        this.program = program;
        this.environment = environment;
    }

    /** Begins those that are new, and ends those that are not wanted any more. */
    public synchronized void configure(List<InputSource> wanted) {
        if (closed) {
            return;
        }
        loops.entrySet().removeIf(entry -> {
            boolean over = !wanted.contains(entry.getKey());
            entry.getValue().over |= over;
            return over;
        });
        for (InputSource source : wanted) {
            if (!loops.containsKey(source)) {
                Loop loop = new Loop(source.name(), sourceOf(source));
                loops.put(source, loop);
                loop.look();
            }
        }
    }

    private Source sourceOf(InputSource source) {
        SourceLog received = new SourceLog(log, source.name());
        return switch (source) {
            case InputSource.Clock clock -> new ClockSource(clock, received, program, environment);
            case InputSource.Nexmark nexmark -> new NexmarkSource(nexmark, received, program, environment);
            case InputSource.Files files -> new FolderSource(files, log, program, environment);
        };
    }

    /** Which sources bring nothing, and why, for people; empty for none. */
    public synchronized String trouble() {
        Map<String, String> found = new TreeMap<>();
        loops.forEach((source, loop) -> found.put(source.name(), loop.trouble));
        List<String> told = new ArrayList<>();
        found.forEach((name, trouble) -> {
            if (!trouble.isEmpty()) {
                told.add("input " + name + ": " + trouble);
            }
        });
        return String.join("; ", told);
    }

    /** Looks at none any more; does not wait for a look that has begun, whose rows are not there twice. */
    @Override
    public synchronized void close() {
        closed = true;
        loops.values().forEach(loop -> loop.over = true);
        loops.clear();
    }

    private final class Loop {
        private final String name;
        private final Source source;
        private volatile boolean over;
        private volatile String trouble = "";

        Loop(String name, Source source) {
            this.name = name;
            this.source = source;
        }

        void look() {
            environment.blockingExecutor().execute(() -> {
                if (over) {
                    GuardedCallbacks.run("closing the input " + name, source::close);
                } else {
                    GuardedCallbacks.begin(source::look).whenComplete(this::seen);
                }
            });
        }

        private void seen(@Nullable Long waitMillis, @Nullable Throwable failure) {
            if (failure == null && waitMillis != null) {
                trouble = "";
                again(waitMillis);
                return;
            }
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof InputFullException full) {
                again(full.retryMillis());
                return;
            }
            String now = cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : "" + cause;
            if (!now.equals(trouble)) {
                trouble = now;
                LOG.warn("Input {} brings no rows, it is looked at again: {}", name, now, cause);
            }
            again(RETRY_MILLIS);
        }

        private void again(long waitMillis) {
            environment.schedule(over ? 0 : waitMillis, this::look);
        }
    }
}
