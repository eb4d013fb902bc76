/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.futures.log.LogOwner;
import dev.ratchet.futures.log.TaskOutput;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process that runs isolated tasks, as its worker sees it. Brings what it says to the attempt that it is about, and
 * its end to all of them. What it prints goes into the worker's log, also what it printed last: signals are sent by its
 * handle, as {@link Process#destroy} closes its output unread. Safe for use by several threads.
 */
final class TaskProcess implements HostProcess {

    private static final Logger LOG = LoggerFactory.getLogger(TaskProcess.class);
    private static final int JOBS_MAX = 1_000;

    /** How long a process may take until it answers. */
    private static final long START_MILLIS_MAX = 60_000;

    /** How long the last lines of a process that is gone are waited for: somebody else may have its output open. */
    private static final long LAST_LINES_MILLIS_MAX = 5_000;

    /** Exit code of a JVM that was told to end when its memory is exhausted. A task may choose the same. */
    private static final int EXHAUSTED_CODE = 3;

    /** What it prints then. */
    private static final String EXHAUSTED = "Terminating due to java.lang.OutOfMemoryError";

    private final Process process;
    private final ProcessLink link;
    private final Map<Long, ProcessAttempt> attempts = new HashMap<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final CompletableFuture<Void> silent = new CompletableFuture<>();
    private long opened;
    private volatile @Nullable LogOwner latest;
    /** Jobs of the last futures that ran here: their lines may come after their end. */
    private final Map<FutureId, String> jobs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FutureId, String> eldest) {
            return size() > JOBS_MAX;
        }
    };

    private volatile boolean exhausted;

    private TaskProcess(Process process, ProcessLink link) {
        this.process = process;
        this.link = link;
    }

    /**
     * Starts a process and waits until it has connected.
     *
     * @param command ends with the path of the socket
     * @throws IOException if it ends before, or does not start
     */
    static TaskProcess start(List<String> command, Path socket, ThreadFactory threads, Environment environment)
            throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket), 1);
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Cancellable sharedDeadline = environment.schedule(START_MILLIS_MAX, () -> close(listener));
            process.onExit().thenRun(() -> close(listener));
            try {
                process.getOutputStream().close();
                TaskProcess started = new TaskProcess(process, new ProcessLink(listener.accept(), threads));
                threads.newThread(started::read).start();
                threads.newThread(started::log).start();
                return started;
            } catch (IOException failure) {
                process.toHandle().destroyForcibly();
                try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                    throw new IOException(
                            "The process for isolated tasks did not start: "
                                    + String.join(" ", lines.lines().toList()),
                            failure);
                }
            } finally {
                sharedDeadline.cancel();
            }
        } finally {
            Files.deleteIfExists(socket);
        }
    }

    private static void close(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception failure) {
            LOG.debug("A socket could not be closed", failure);
        }
    }

    /** What it prints without a mark belongs to the latest. */
    @Override
    public ProcessAttempt open(LogOwner future) {
        latest = future;
        synchronized (attempts) {
            jobs.put(future.future(), future.job());
            ProcessAttempt attempt = new ProcessAttempt(this, ++opened);
            attempts.put(attempt.number(), attempt);
            if (gone.isDone()) {
                attempt.gone();
            }
            return attempt;
        }
    }

    void forget(ProcessAttempt attempt) {
        synchronized (attempts) {
            attempts.remove(attempt.number());
        }
    }

    void send(ToProcess message) {
        link.send(message);
    }

    @Override
    public void whenGone(Runnable action) {
        var unused = gone.thenRun(action);
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void terminate() {
        process.toHandle().destroy();
    }

    @Override
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly();
    }

    @Override
    public int end(long graceMillis) {
        boolean interrupted = Thread.interrupted();
        terminate();
        int code = -1;
        long grace = graceMillis;
        while (code < 0) {
            try {
                if (process.waitFor(grace, TimeUnit.MILLISECONDS)) {
                    code = process.exitValue();
                } else {
                    kill();
                    grace = START_MILLIS_MAX;
                }
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        close(link);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return code;
    }

    @Override
    public boolean isExhausted() {
        if (process.exitValue() != EXHAUSTED_CODE) {
            return false;
        }
        try {
            silent.get(LAST_LINES_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unread) {
            LOG.debug("The last lines of a process for isolated tasks are not read yet pid={}", process.pid(), unread);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        return exhausted;
    }

    private void read() {
        try {
            for (FromProcess message = link.receive(FromProcess.parser());
                    message != null;
                    message = link.receive(FromProcess.parser())) {
                said(message);
            }
        } catch (IOException broken) {
            LOG.debug("A process for isolated tasks has gone pid={}", process.pid(), broken);
        }
        gone.complete(null);
        synchronized (attempts) {
            attempts.values().forEach(ProcessAttempt::gone);
        }
    }

    private LogOwner owner(FutureId future) {
        synchronized (attempts) {
            return new LogOwner(future, jobs.getOrDefault(future, ""));
        }
    }

    private void said(FromProcess message) {
        synchronized (attempts) {
            ProcessAttempt attempt = attempts.get(message.getAttemptNumber());
            if (attempt != null) {
                attempt.said(message);
            }
        }
    }

    private void log() {
        try (MarkedLines lines = new MarkedLines(process.inputReader(StandardCharsets.UTF_8))) {
            for (MarkedOutput.Line line = lines.next(); line != null; line = lines.next()) {
                if (line.text().contains(EXHAUSTED)) {
                    exhausted = true;
                }
                TaskOutput.attribute(line.owner().map(this::owner).orElse(latest));
                System.out.println(line.text());
            }
        } catch (IOException gone) {
            LOG.debug("The output of a process for isolated tasks has ended pid={}", process.pid(), gone);
        } finally {
            silent.complete(null);
        }
    }
}
