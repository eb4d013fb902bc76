/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

import dev.ratchet.local.kubelet.ProcessGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one operator running as a process of its own: started again when it ends, at once the first time and then after
 * a wait that doubles. Invariant: it does not outlive this process (see {@link ProcessGroup}). When its log reaches
 * {@link #LOG_LIMIT_BYTES} the older half goes to {@code operator.log.1}.
 */
final class OperatorProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorProcess.class);
    private static final long LOG_LIMIT_BYTES = 32L << 20;
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private static final Duration BACK_OFF_LIMIT = Duration.ofSeconds(30);
    private static final Duration STEADY = Duration.ofMinutes(1);
    private static final long END_SECONDS = 10;

    private final Home home;
    private final Supplier<List<String>> command;
    private final Map<String, String> variables;
    private final Thread keeper;
    private volatile boolean closed;
    private volatile @Nullable ProcessGroup running;

    /**
     * @param command is asked at each start
     * @param variables the whole environment of the process
     */
    OperatorProcess(Home home, Supplier<List<String>> command, Map<String, String> variables) {
        this.home = home;
        this.command = command;
        this.variables = Map.copyOf(variables);
        this.keeper = Thread.ofPlatform().daemon().name("operator-keeper").unstarted(this::keep);
    }

    void start() {
        keeper.start();
    }

    private void keep() {
        Duration wait = Duration.ZERO;
        try {
            while (!closed) {
                Thread.sleep(wait.toMillis());
                long startedNanos = System.nanoTime();
                ProcessGroup process = ProcessGroup.start(
                        command.get(), variables, home.directory(), this::copyToLog, home.operator(), "operator");
                running = process;
                int code = process.exit().get();
                running = null;
                if (!closed) {
                    boolean wasSteady = System.nanoTime() - startedNanos > STEADY.toNanos();
                    wait = wait.isZero() || wasSteady ? BACK_OFF : shorter(wait.multipliedBy(2), BACK_OFF_LIMIT);
                    LOG.warn(
                            "the operator ended and is started again: exitCode={} waitMillis={} log={}",
                            code,
                            wait.toMillis(),
                            home.operatorLog());
                }
            }
        } catch (IOException | ExecutionException e) {
            LOG.error("the operator can not be started: command={}", command.get(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private void copyToLog(InputStream output) throws IOException {
        Path log = home.operatorLog();
        byte[] chunk = new byte[8192];
        OutputStream sink = append(log);
        try {
            long size = Files.size(log);
            for (int count = output.read(chunk); count >= 0; count = output.read(chunk)) {
                sink.write(chunk, 0, count);
                size += count;
                if (size > LOG_LIMIT_BYTES) {
                    sink.close();
                    Files.move(log, log.resolveSibling("operator.log.1"), StandardCopyOption.REPLACE_EXISTING);
                    sink = append(log);
                    size = 0;
                }
            }
        } finally {
            sink.close();
        }
    }

    private static OutputStream append(Path log) throws IOException {
        return Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Ends the operator, gently if it can be. */
    @Override
    public void close() {
        closed = true;
        ProcessGroup process = running;
        if (process != null) {
            process.signal("TERM");
            try {
                process.exit().get(END_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                process.signal("KILL");
            } catch (InterruptedException e) {
                process.signal("KILL");
                Thread.currentThread().interrupt();
            }
        }
        keeper.interrupt();
    }
}
