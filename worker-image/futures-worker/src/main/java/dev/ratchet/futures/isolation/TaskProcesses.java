/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.log.LogOwner;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.nesting.RunningTask;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.nesting.TaskCall.Ended;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import io.grpc.BindableService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that run isolated tasks of this worker. A process has the code of one set of artifacts, runs one task
 * at a time and is kept for the next of the same kind; it ends with whatever makes an attempt in it end early. How many
 * there are, and which attempts share one, {@link ProcessPool} decides. Safe for use by several threads.
 */
public final class TaskProcesses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskProcesses.class);

    /** What processes print is read as their tasks' log, which is no place for the runtime's own news. */
    private static final String LOGGING = "dev/ratchet/futures/isolation/logback.xml";

    /**
     * Threads that talk to processes. Whoever reads what a process prints keeps a thread of the kernel as long as the
     * process lives: virtual ones would take those of the tasks.
     */
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().name("ratchet-process-", 0).daemon().factory();

    /** A process ends that has had nothing to do at two looks, one after the other. */
    private static final long LOOK_MILLIS = 30_000;

    /** Hosted attempts that compute at once: the one whose turn it is, and one that was told to end. */
    private static final int HOSTED_PARALLELISM = 2;

    /** A path of a socket has at most 107 bytes. */
    private static final int SOCKET_ROOT_LENGTH_MAX = 60;

    private static final Path SHORT_ROOT = Path.of("/tmp");

    /** What names of folders of sockets begin with. */
    private static final String SOCKETS = "ratchet-tasks-";

    /** What of the required memory is for the heap; the rest is for the JVM itself. */
    private static final int HEAP_PERCENT = 75;

    private final IsolationOptions options;
    private final String namespace;
    private final String cluster;
    private final ObjectStore objects;
    private final Environment environment;
    private final ProcessPool pool;
    private final AtomicBoolean looking = new AtomicBoolean();
    private @Nullable BindableService service;
    private @Nullable LocalGateway gateway;
    private final Path files;
    private @Nullable Path sockets;
    private long started;
    private boolean closed;

    /**
     * @param files a folder for large values on their way; emptied when the first task runs
     * @param idleMax processes that wait for their next task
     */
    public TaskProcesses(
            IsolationOptions options,
            Path files,
            String namespace,
            String cluster,
            int idleMax,
            ObjectStore objects,
            Environment environment) {
        this.options = options;
        this.files = files;
        this.namespace = namespace;
        this.cluster = cluster;
        this.pool = new ProcessPool(idleMax, options.suspendedMax());
        this.objects = objects;
        this.environment = environment;
    }

    /** Says what the tasks' own calls of the cluster go to. To be called before the first task runs. */
    public synchronized void serve(BindableService tasksGateway) {
        service = tasksGateway;
    }

    /**
     * Runs one attempt to its end on the calling thread, whose interruption ends it: the task is interrupted, and its
     * process killed after the grace.
     *
     * @param record as it was claimed
     */
    public Ended call(FutureId id, FutureRecord record, TaskCall.Inputs inputs, RunningTask task) {
        String seat = record.getClaim().getSeat();
        ObjectName name = ObjectName.of(id, record.getClaim());
        Host.Guest guest = null;
        boolean endedByItself = false;
        boolean stopped = false;
        try (Handover handover = new Handover(files, id + "-" + name.epoch())) {
            guest = take(new Host.Kind(inputs.function().artifacts(), heapBytes(record)));
            Optional<Ended> ended;
            try (ProcessAttempt attempt = guest.process().open(new LogOwner(id, record.getJob()));
                    IsolatedCall call = new IsolatedCall(
                            attempt, guest, name, task, objects, handover, options.graceMillis(), environment)) {
                attempt.send(ToProcess.newBuilder()
                        .setAttempt(handover.attempt(Ids.bytes(id), record, inputs).toBuilder()
                                .setHosted(guest.isHosted()))
                        .build());
                ended = call.converse();
                stopped = call.isStopped();
            }
            endedByItself = ended.isPresent() && !stopped;
            return ended.isPresent() ? ended.get() : cutShort(guest, stopped, seat);
        } catch (IOException | UncheckedIOException broken) {
            return failed("The process of the attempt can not be used: " + broken.getMessage(), seat);
        } finally {
            if (guest != null) {
                giveBack(guest, endedByItself);
            }
            if (stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Ended cutShort(Host.Guest guest, boolean stopped, String seat) {
        if (stopped) {
            guest.spoil();
            guest.process().kill();
            return failed("The attempt was told to end.", seat);
        }
        int exitCode = guest.process().end(options.graceMillis());
        return guest.isDisplaced() ? new Ended.Displaced() : lost(guest.process(), exitCode, seat);
    }

    private static Ended lost(HostProcess process, int exitCode, String seat) {
        if (process.isExhausted()) {
            return new Ended.Threw(
                    Failures.of(
                            FailureKind.FAILURE_KIND_OUT_OF_MEMORY,
                            OutOfMemoryError.class.getName(),
                            "The process of the attempt ran out of memory. Require more for the task.",
                            seat),
                    false);
        }
        return failed(
                "The process of the attempt ended with exit code " + exitCode
                        + " before the task did. What it has printed is in the log of the future.",
                seat);
    }

    private static Ended failed(String message, String seat) {
        return new Ended.Threw(
                Failures.of(
                        FailureKind.FAILURE_KIND_WORKER_LOST, "dev.ratchet.client.AttemptProcessLost", message, seat),
                false);
    }

    /** What the process may have, where the task says what it needs; 0 = as the options say. */
    private static long heapBytes(FutureRecord record) {
        return SchedulingSpecs.requirements(record).getMemoryBytes() / 100 * HEAP_PERCENT;
    }

    private Host.Guest take(Host.Kind kind) throws IOException {
        Optional<Host.Guest> free = pool.take(kind);
        if (free.isPresent()) {
            return free.get();
        }
        Path socket = sockets().resolve(nextNumber() + ".socket");
        HostProcess process = TaskProcess.start(command(kind, socket), socket, THREADS, environment);
        try {
            return pool.add(new Host(kind, process));
        } catch (IOException unusable) {
            process.end(options.graceMillis());
            throw unusable;
        }
    }

    private synchronized long nextNumber() {
        return ++started;
    }

    private List<String> command(Host.Kind kind, Path socket) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= 23) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-Djdk.virtualThreadScheduler.parallelism=" + HOSTED_PARALLELISM);
        command.add("-Xshare:auto");
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.add("-Dlogback.configurationFile=" + LOGGING);
        command.addAll(options.javaOptions());
        if (kind.heapBytes() > 0) {
            command.add("-Xmx" + kind.heapBytes());
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TaskProcessMain.class.getName()));
        command.addAll(List.of(namespace, cluster, gateway(), Long.toString(options.graceMillis()), socket.toString()));
        return command;
    }

    private void giveBack(Host.Guest guest, boolean endedByItself) {
        pool.giveBack(guest, endedByItself).ifPresent(this::endAside);
        lookLater();
    }

    /** One timer is set as long as processes wait, however many attempts end. */
    private void lookLater() {
        if (!pool.idle().isEmpty() && !looking.getAndSet(true)) {
            var unused = environment.schedule(LOOK_MILLIS, () -> {
                looking.set(false);
                pool.retireUnused().forEach(this::endAside);
                lookLater();
            });
        }
    }

    private void endAside(Host host) {
        THREADS.newThread(() -> {
                    host.process().end(options.graceMillis());
                    pool.forget(host);
                })
                .start();
    }

    /** Made when the first task runs; only this user can open it. */
    private synchronized Path sockets() throws IOException {
        Path present = sockets;
        if (present == null) {
            deleteAll(files);
            Files.createDirectories(files);
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            boolean isShort = temporary.toString().length() <= SOCKET_ROOT_LENGTH_MAX;
            present = ownFolder(isShort ? temporary : SHORT_ROOT);
            sockets = present;
        }
        return present;
    }

    /**
     * A new folder, in place of the one that this worker has left there if it was killed: named by the folder for large
     * values, which is one worker's alone.
     */
    private Path ownFolder(Path root) throws IOException {
        String name = SOCKETS
                + HexFormat.of().toHexDigits(files.toAbsolutePath().toString().hashCode());
        try {
            deleteAll(root.resolve(name));
            return Files.createDirectory(
                    root.resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException | UncheckedIOException another) {
            LOG.info("Sockets of isolated tasks are in a folder of another name than {}", name, another);
            return Files.createTempDirectory(root, SOCKETS);
        }
    }

    private synchronized String gateway() throws IOException {
        String socket = sockets().resolve("gateway").toString();
        BindableService served = service;
        if (gateway == null && served != null && !closed) {
            gateway = new LocalGateway(socket, served, environment.executor());
        }
        return socket;
    }

    /**
     * Ends all processes and returns when they are gone, in little more than one grace: each gets TERM at once, which
     * interrupts what it runs, and KILL when the grace is over.
     */
    @Override
    public void close() {
        LocalGateway open;
        Path used;
        synchronized (this) {
            closed = true;
            open = gateway;
            used = sockets;
        }
        List<HostProcess> rest = pool.close().stream().map(Host::process).toList();
        long deadline = environment.nanoTime() + options.graceMillis() * 1_000_000;
        rest.forEach(HostProcess::terminate);
        rest.forEach(process -> process.end(Math.max(0, (deadline - environment.nanoTime()) / 1_000_000)));
        if (open != null) {
            open.close();
        }
        if (used != null) {
            deleteAll(used);
        }
    }

    private static void deleteAll(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (var content = Files.list(directory)) {
            for (Path file : content.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException inUse) {
            throw new UncheckedIOException("The directory " + directory + " can not be removed", inUse);
        }
    }
}
