/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

import dev.ratchet.local.kubelet.ProcessRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts and stops the environment of one {@link Home} from other processes. Both are idempotent, and one at a time: a
 * lock on a file in the folder keeps others out. Invariant: after {@link #down} no recorded process runs, whatever
 * happened to the supervisor before.
 */
public final class EnvironmentControl {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 20;
    private static final int SHOWN_LINES = 5;
    private static final String MAIN = "dev.ratchet.local.LocalMain";

    private final Home home;
    private final Path distribution;

    public EnvironmentControl(Home home, Path distribution) {
        this.home = home;
        this.distribution = distribution.toAbsolutePath().normalize();
    }

    public Home home() {
        return home;
    }

    /** Whether it can be used now. */
    public boolean isUp() {
        return supervisor().isPresent() && Files.exists(home.ready());
    }

    /** Starts it with one node unless it runs; returns whether it did. Blocks until it can be used. */
    public boolean up() throws EnvironmentException, IOException, InterruptedException {
        return up(1);
    }

    /** Starts it with {@code nodes} nodes unless it runs; returns whether it did. Blocks until it can be used. */
    public boolean up(int nodes) throws EnvironmentException, IOException, InterruptedException {
        makeHome();
        try (RandomAccessFile file =
                        new RandomAccessFile(home.directory().resolve("lock").toFile(), "rw");
                FileLock lock = file.getChannel().lock()) {
            if (isUp()) {
                return false;
            }
            killAll();
            Process process = launch(nodes);
            awaitReady(process);
            return lock.isValid();
        }
    }

    /** Stops it; returns whether anything ran. Blocks until all its processes have ended. */
    public boolean down() throws IOException, InterruptedException {
        if (!Files.isDirectory(home.directory())) {
            return false;
        }
        try (RandomAccessFile file =
                        new RandomAccessFile(home.directory().resolve("lock").toFile(), "rw");
                FileLock lock = file.getChannel().lock()) {
            Optional<ProcessHandle> supervisor = supervisor();
            supervisor.ifPresent(ProcessHandle::destroy);
            if (supervisor.isPresent()) {
                await(supervisor.get(), STOP_LIMIT);
            }
            boolean killed = killAll();
            home.deleteKeys();
            return lock.isValid() && (supervisor.isPresent() || killed);
        }
    }

    private Optional<ProcessHandle> supervisor() {
        return home.supervisor().process();
    }

    private void makeHome() throws EnvironmentException {
        try {
            Files.createDirectories(home.directory());
            Files.setPosixFilePermissions(home.directory(), PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new EnvironmentException(
                    1,
                    "the folder " + home.directory() + " can not be made: " + e + "; set RATCHET_HOME to one that can");
        }
    }

    private Process launch(int nodes) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-Djdk.httpclient.keepalive.timeout=30"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(
                List.of("--home", home.directory().toString(), "--distribution", distribution.toString(), "supervise"));
        command.addAll(List.of("--nodes", Integer.toString(nodes)));
        Files.deleteIfExists(home.ready());
        Files.writeString(home.supervisorLog(), "");
        return new ProcessBuilder(command)
                .directory(home.directory().toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.supervisorLog().toFile()))
                .start();
    }

    private void awaitReady(Process process) throws EnvironmentException, IOException, InterruptedException {
        home.supervisor().write(process.pid());
        long deadlineNanos = System.nanoTime() + START_LIMIT.toNanos();
        while (!Files.exists(home.ready())) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new EnvironmentException(
                        1,
                        "the environment ended while it started: " + lastLines() + " (log: " + home.supervisorLog()
                                + ")");
            }
            if (System.nanoTime() > deadlineNanos) {
                process.destroy();
                throw new EnvironmentException(
                        1,
                        "the environment is not ready after " + START_LIMIT.toSeconds() + " s; see "
                                + home.supervisorLog());
            }
        }
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(home.supervisorLog());
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    private boolean killAll() throws IOException, InterruptedException {
        boolean any = home.supervisor().kill();
        any |= home.operator().kill();
        for (ProcessRecord record : ProcessRecord.below(home.directory().resolve("pods"))) {
            Optional<ProcessHandle> process = record.process();
            any |= record.kill();
            if (process.isPresent()) {
                await(process.get(), STOP_LIMIT);
            }
        }
        Files.deleteIfExists(home.supervisor().file());
        Files.deleteIfExists(home.operator().file());
        Files.deleteIfExists(home.ready());
        return any;
    }

    private static void await(ProcessHandle process, Duration limit) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (process.isAlive() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
