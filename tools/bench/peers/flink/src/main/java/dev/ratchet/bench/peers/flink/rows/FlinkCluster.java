/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import dev.ratchet.bench.cluster.JavaProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session cluster of Flink on loopback: a job manager and task managers of one slot, each a process. A task manager
 * keeps its name and its directory over a restart, so that it finds its state on its own disk. Heartbeats are shorter
 * than by default, in favour of Flink.
 */
final class FlinkCluster implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final int POLL_MILLIS = 5;
    private static final int RESERVED_MEGABYTES = 128;
    private static final int METASPACE_MEGABYTES = 256;
    private static final Pattern MANAGER =
            Pattern.compile("\"id\":\"(tm-\\d+)\",\"path\":\"([^\"]*)\",\"dataPort\":(\\d+)");
    private static final Pattern SIZE = Pattern.compile("\"state_size\":(\\d+)");

    private final Path directory;
    private final int heapMegabytes;
    private final int managedMegabytes;
    private final String backend;
    private final int restPort = freePort();
    private final HttpClient http = HttpClient.newHttpClient();
    private final JavaProcess jobManager;
    private final List<JavaProcess> taskManagers = new ArrayList<>();

    /**
     * Starts everything and waits until all slots are there.
     *
     * @param heapMegabytes of each task manager, for what a job keeps
     * @param managedMegabytes of each task manager, for RocksDB
     * @param backend hashmap or rocksdb
     */
    FlinkCluster(Path directory, int count, int heapMegabytes, int managedMegabytes, String backend)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.heapMegabytes = heapMegabytes;
        this.managedMegabytes = managedMegabytes;
        this.backend = backend;
        int rpcPort = freePort();
        Map<String, String> shared = shared(rpcPort);
        Path config = configure("jobmanager", shared);
        jobManager = JavaProcess.leashed(
                options(METASPACE_MEGABYTES * 2),
                Map.of(),
                directory.resolve("jobmanager.log"),
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                config.toString());
        for (int number = 0; number < count; number++) {
            Map<String, String> own = new HashMap<>(shared);
            own.putAll(ofTaskManager(number));
            configure("tm-" + number, own);
            taskManagers.add(start(number));
        }
        await("all task managers", () -> addresses().size() == count);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private Map<String, String> shared(int rpcPort) {
        Map<String, String> all = new HashMap<>();
        all.put("jobmanager.rpc.address", "127.0.0.1");
        all.put("jobmanager.rpc.port", Integer.toString(rpcPort));
        all.put("jobmanager.memory.process.size", "1g");
        all.put("rest.address", "127.0.0.1");
        all.put("rest.bind-address", "127.0.0.1");
        all.put("rest.port", Integer.toString(restPort));
        all.put("web.submit.enable", "false");
        all.put("heartbeat.interval", "500 ms");
        all.put("heartbeat.timeout", "5 s");
        all.put("heartbeat.rpc-failure-threshold", "1");
        all.put("execution.checkpointing.local-backup.enabled", "true");
        all.put("execution.state-recovery.from-local", "true");
        return all;
    }

    /** What a job is submitted with. */
    Map<String, String> ofJob() {
        Map<String, String> all = new HashMap<>();
        all.put("restart-strategy.type", "fixed-delay");
        all.put("restart-strategy.fixed-delay.attempts", "1000000");
        all.put("restart-strategy.fixed-delay.delay", "50 ms");
        all.put("state.backend.type", backend);
        all.put("execution.checkpointing.interval", "1 s");
        all.put("execution.checkpointing.mode", "EXACTLY_ONCE");
        all.put("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
        all.put("execution.checkpointing.incremental", "true");
        all.put("pipeline.object-reuse", "true");
        return all;
    }

    private Map<String, String> ofTaskManager(int number) {
        Map<String, String> own = new HashMap<>();
        own.put("taskmanager.resource-id", "tm-" + number);
        own.put("process.taskmanager.working-dir", directory.resolve("work").toString());
        own.put("taskmanager.host", "127.0.0.1");
        own.put("taskmanager.bind-host", "127.0.0.1");
        own.put("taskmanager.numberOfTaskSlots", "1");
        own.put("taskmanager.cpu.cores", "1");
        own.put("taskmanager.memory.framework.heap.size", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.framework.off-heap.size", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.task.heap.size", heapMegabytes + "m");
        own.put("taskmanager.memory.task.off-heap.size", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.managed.size", managedMegabytes + "m");
        own.put("taskmanager.memory.network.min", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.network.max", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.jvm-metaspace.size", METASPACE_MEGABYTES + "m");
        own.put("taskmanager.memory.jvm-overhead.min", RESERVED_MEGABYTES + "m");
        own.put("taskmanager.memory.jvm-overhead.max", RESERVED_MEGABYTES + "m");
        return own;
    }

    private Path configure(String name, Map<String, String> settings) throws IOException {
        StringBuilder text = new StringBuilder();
        settings.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
        Path folder = Files.createDirectories(directory.resolve(name));
        Files.writeString(folder.resolve("config.yaml"), text);
        return folder;
    }

    private static List<String> options(int heapMegabytes) throws IOException {
        Path options = Path.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)[0])
                .resolve("java-options");
        List<String> all = new ArrayList<>(Files.readAllLines(options));
        all.addAll(List.of("-Xmx" + heapMegabytes + "m", "-XX:+UseParallelGC"));
        return all;
    }

    private JavaProcess start(int number) throws IOException {
        return JavaProcess.leashed(
                options(heapMegabytes + RESERVED_MEGABYTES),
                Map.of(),
                directory.resolve("tm-" + number + ".log"),
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                directory.resolve("tm-" + number).toString());
    }

    int restPort() {
        return restPort;
    }

    /** {@code kill -9}, and starts it again at once. */
    void restart(int number) throws IOException {
        taskManagers.get(number).kill();
        taskManagers.set(number, start(number));
    }

    /** Where the job manager reaches each task manager, by name: another address for each process. */
    Map<String, String> addresses() throws InterruptedException {
        Map<String, String> all = new HashMap<>();
        Matcher found = MANAGER.matcher(get("/taskmanagers"));
        while (found.find()) {
            all.put(found.group(1), found.group(2) + found.group(3));
        }
        return all;
    }

    /** Waits until the job manager knows another process of that name than the one that was at an address. */
    void awaitBack(int number, String formerAddress) throws IOException, InterruptedException {
        String name = "tm-" + number;
        await(name, () -> {
            String address = addresses().get(name);
            return address != null && !address.equals(formerAddress);
        });
    }

    /** Bytes of the state in the last checkpoint of a job. */
    long stateBytes(String job) throws InterruptedException {
        String answer = get("/jobs/" + job + "/checkpoints");
        Matcher found = SIZE.matcher(answer.substring(Math.max(0, answer.indexOf("\"latest\""))));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private String get(String path) throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + restPort + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException notServed) {
            return "";
        }
    }

    /** A condition that asks a server. */
    interface Asked {
        boolean holds() throws InterruptedException;
    }

    private void await(String what, Asked asked) throws IOException, InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (!asked.holds()) {
            if (System.nanoTime() > end) {
                throw new IOException(what + " not there after " + START + ": see the logs in " + directory);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Processor time of all its processes. */
    long cpuNanos() {
        return jobManager.cpu().toNanos()
                + taskManagers.stream()
                        .mapToLong(one -> Objects.requireNonNull(one).cpu().toNanos())
                        .sum();
    }

    @Override
    public void close() {
        taskManagers.forEach(JavaProcess::kill);
        jobManager.kill();
    }
}
