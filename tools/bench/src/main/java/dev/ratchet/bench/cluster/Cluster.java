/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import com.apple.foundationdb.Database;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A store and workers as processes, as a kubelet would start them, each worker at a loopback address of its own that is
 * drawn from the id of this process. Who is killed stays dead until started again.
 */
public final class Cluster implements AutoCloseable {

    /**
     * What there is.
     *
     * @param workers how many seats
     * @param threads execution slots of each worker
     * @param options of the workers' JVMs
     * @param objectBytes memory of each worker for results; as much again goes to disk
     * @param store how the store serves
     * @param wired whether everybody reaches the store through a {@link StoreNetwork}, which wakes four threads for
     *     each message
     */
    public record Settings(
            int workers,
            int threads,
            List<String> options,
            long objectBytes,
            ServedStore.Settings store,
            boolean wired) {}

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration START_MORE = Duration.ofSeconds(5);
    private static final int SPILL_FACTOR = 16;

    /**
     * A circuit.
     *
     * @param name of its own, where the state is kept
     * @param program in SQL
     * @param checkpointIntervalMillis the longest time between two versions of its state
     */
    public record CircuitProgram(String name, String program, long checkpointIntervalMillis) {}

    private final Path directory;
    private final Settings settings;
    private final String network;
    private final InetSocketAddress door;
    private final Identities identities = new Identities();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ServedStore store;
    private final @Nullable StoreNetwork wire;
    private final Database database;
    private final AtomicReferenceArray<@Nullable JavaProcess> workers;

    /** Starts the store, and no worker yet. */
    public Cluster(Path directory, Settings settings) throws IOException {
        this.directory = directory;
        this.settings = settings;
        long pid = ProcessHandle.current().pid();
        network = "127." + (96 + pid / 250 % 24) + "." + (1 + pid % 250) + ".";
        store = new ServedStore(directory.resolve("store"), settings.store(), identities);
        door = settings.wired()
                ? new InetSocketAddress(network + "1", 7401)
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), store.port());
        wire = settings.wired() ? new StoreNetwork(door, store::port) : null;
        database = store.open(hostAndPort(door), environment);
        workers = new AtomicReferenceArray<>(settings.workers());
        configure(document());
    }

    private ObjectNode document() {
        ObjectNode document = JsonMapper.builder().build().createObjectNode();
        document.put("cluster", Identities.CLUSTER).put("namespace", Identities.NAMESPACE);
        document.putObject("store")
                .put("type", "Embedded")
                .put("address", hostAndPort(door))
                .put("subspace", ServedStore.at("").subspace());
        return document;
    }

    private void configure(ObjectNode document) throws IOException {
        Path config = Files.createDirectories(directory.resolve("config"));
        Path written = directory.resolve("config.new");
        Files.writeString(written, document.toString());
        Files.move(written, config.resolve(ClusterConfiguration.FILE), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Commits the layout of all seats, as the operator does; before any worker has started. */
    public void commitLayout() {
        LayoutRecord.Builder layout = LayoutRecord.newBuilder().setEpoch(1);
        for (int worker = 0; worker < workers.length(); worker++) {
            layout.addSeats(Identities.seat(worker));
        }
        database.run(transaction -> {
            new CoordinatorTable(keyspace()).layout().write(transaction, layout.build());
            return null;
        });
    }

    /**
     * Says which clients are admitted, whose names {@link #connection(int, String)} has: what workers find in seconds.
     */
    public void admitClients(Collection<String> names) throws IOException {
        ObjectNode document = document();
        names.forEach(document.putArray("clients")::add);
        configure(document);
    }

    /** Names the circuit that runs from now on, as {@code cluster.json} has it. */
    public void runCircuit(ObjectNode circuit) throws IOException {
        ObjectNode document = document();
        document.set("circuit", circuit);
        configure(document);
    }

    /** Says how many slots each worker has for sessions, by resource: what workers find within some seconds. */
    public void offerSlots(Map<String, Integer> slots) throws IOException {
        ObjectNode document = document();
        ObjectNode offered = document.putObject("slots");
        slots.forEach(offered::put);
        configure(document);
    }

    /** Gives the cluster a circuit that runs on all its seats: what workers find within some seconds. */
    public void configureCircuit(CircuitProgram circuit) throws IOException {
        commitLayout();
        runCircuit(JsonMapper.builder()
                .build()
                .createObjectNode()
                .put("name", circuit.name())
                .put("program", circuit.program())
                .put("threads", settings.threads())
                .put("checkpointIntervalMillis", circuit.checkpointIntervalMillis())
                .put("retainedVersions", 2)
                .put("onError", "Collect"));
    }

    /** For calls of the circuit over HTTP, with a client's certificate; the caller closes it. */
    public HttpClient circuitClient() {
        TestAuthority.Issued credential = identities.issue(Identities.CLIENT);
        MutualTls own = MutualTls.fromPem(credential.certificate(), credential.key(), credential.authorities());
        return HttpClient.newBuilder()
                .sslContext(own.clientContext(Identities.workersName()))
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build();
    }

    /** Where a worker serves the circuit over HTTP. */
    public URI circuit(int worker, String path) {
        return URI.create("https://" + address(worker) + ":7404" + path);
    }

    private static String hostAndPort(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Starts the process of a seat that has none. */
    public void startWorker(int worker) throws IOException {
        JavaProcess started = JavaProcess.leashed(
                settings.options(),
                variables(worker),
                directory.resolve(Identities.seat(worker) + ".log"),
                "dev.ratchet.worker.WorkerMain");
        workers.set(worker, started);
    }

    /** The environment of a seat's process, whose directories this makes. */
    public Map<String, String> variables(int worker) throws IOException {
        Path home = Files.createDirectories(directory.resolve(Identities.seat(worker)));
        return Map.ofEntries(
                Map.entry("RATCHET_CLUSTER", Identities.CLUSTER),
                Map.entry("RATCHET_NAMESPACE", Identities.NAMESPACE),
                Map.entry("RATCHET_SEAT", Identities.seat(worker)),
                Map.entry("RATCHET_POD_UID", "pod-" + worker),
                Map.entry("RATCHET_POD_IP", address(worker)),
                Map.entry("RATCHET_HOST", "bench"),
                Map.entry("RATCHET_CONFIG_DIR", directory.resolve("config").toString()),
                Map.entry(
                        "RATCHET_TLS_DIR",
                        identities
                                .write(Identities.worker(worker), home.resolve("tls"))
                                .toString()),
                Map.entry(
                        "RATCHET_DATA_DIR",
                        Files.createDirectories(home.resolve("data")).toString()),
                Map.entry(
                        "RATCHET_TEMP_DIR",
                        Files.createDirectories(home.resolve("tmp")).toString()),
                Map.entry("RATCHET_THREADS", Integer.toString(settings.threads())),
                Map.entry("RATCHET_OBJECT_STORE_MEMORY_BYTES", Long.toString(settings.objectBytes())),
                Map.entry("RATCHET_OBJECT_STORE_SPILL_BYTES", Long.toString(SPILL_FACTOR * settings.objectBytes())),
                Map.entry("RATCHET_DRAIN_TIMEOUT_MILLIS", "5000"));
    }

    /** Starts all workers and waits until they take work. */
    public void startWorkers() throws IOException, InterruptedException {
        for (int worker = 0; worker < workers.length(); worker++) {
            startWorker(worker);
        }
        awaitReady();
    }

    /** Waits until every worker takes work. */
    public void awaitReady() throws IOException, InterruptedException {
        Duration start = START.plus(START_MORE.multipliedBy(workers.length()));
        long deadline = System.nanoTime() + start.toNanos();
        for (List<Integer> late = notReady(); !late.isEmpty(); late = notReady()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Workers " + late + " are not ready after " + start.toSeconds()
                        + " s: see their logs in " + directory);
            }
            Thread.sleep(100);
        }
    }

    /** Those workers that take no work now. */
    public List<Integer> notReady() throws InterruptedException {
        List<Integer> workersNotReady = new ArrayList<>();
        for (int worker = 0; worker < workers.length(); worker++) {
            if (!isReady(worker)) {
                workersNotReady.add(worker);
            }
        }
        return workersNotReady;
    }

    /** Whether this worker takes work now. */
    public boolean isReady(int worker) throws InterruptedException {
        try {
            return get("http://" + address(worker) + ":7402/readyz").statusCode() == 200;
        } catch (IOException notListening) {
            return false;
        }
    }

    private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(uri))
                        .timeout(Duration.ofSeconds(5))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** What the store counts, by name and labels as in Prometheus' text. */
    public double storeMetric(String name) throws IOException, InterruptedException {
        return sum(get("http://127.0.0.1:" + store.healthPort() + "/metrics"), name);
    }

    /** What a worker counts; as {@link #storeMetric}. */
    public double workerMetric(int worker, String name) throws IOException, InterruptedException {
        return sum(get("http://" + address(worker) + ":7402/metrics"), name);
    }

    private static double sum(HttpResponse<String> metrics, String name) {
        return metrics.body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private String address(int worker) {
        return network + (10 + worker);
    }

    /** How many seats there are. */
    public int size() {
        return workers.length();
    }

    /** The process of a seat, which may have ended. */
    public JavaProcess worker(int worker) {
        return Objects.requireNonNull(workers.get(worker), "not started");
    }

    /** The name of a seat. */
    public String seat(int worker) {
        return Identities.seat(worker);
    }

    /** The seat's number, or -1. */
    public int numberOf(String seat) {
        for (int worker = 0; worker < workers.length(); worker++) {
            if (seat.equals(Identities.seat(worker))) {
                return worker;
            }
        }
        return -1;
    }

    public ServedStore store() {
        return store;
    }

    /** What is between the store and everybody else, in a cluster that is wired. */
    public StoreNetwork wire() {
        return Objects.requireNonNull(wire, "not wired");
    }

    /** The store as the workers reach it. */
    public Database database() {
        return database;
    }

    /** Where everything of this cluster is in the store. */
    public Keyspace keyspace() {
        return new Keyspace(ServedStore.at("").subspace());
    }

    /** The futures in the store. */
    public FutureStore futures() {
        return new FutureStore(database, new FutureKeys(keyspace()), environment);
    }

    /** Processor time of the store and the workers that run, in nanoseconds. */
    public long cpuNanos() {
        long nanos = store.process().cpu().toNanos();
        for (int number = 0; number < workers.length(); number++) {
            JavaProcess worker = workers.get(number);
            nanos += worker == null ? 0 : worker.cpu().toNanos();
        }
        return nanos;
    }

    /** A channel to a worker for a client of this name; the caller shuts it down. */
    public ManagedChannel channel(int worker, String client) {
        TestAuthority.Issued credential = identities.issue(Identities.client(client));
        return MutualTls.fromPem(credential.certificate(), credential.key(), credential.authorities())
                .channelBuilder(address(worker) + ":7400", Identities.workersName())
                .build();
    }

    /** A connection document for clients that tries the workers from this one on. */
    public String connection(int first) {
        return connection(first, Identities.CLIENT.name());
    }

    /** As {@link #connection(int)}, for a client of this name. */
    public String connection(int first, String client) {
        TestAuthority.Issued credential = identities.issue(Identities.client(client));
        ObjectNode document = JsonMapper.builder().build().createObjectNode();
        document.put("cluster", Identities.CLUSTER)
                .put("namespace", Identities.NAMESPACE)
                .put("authority", Identities.workersName())
                .put("certificate", credential.certificate())
                .put("key", credential.key())
                .put("authorities", credential.authorities());
        List<String> endpoints = new ArrayList<>();
        for (int worker = 0; worker < workers.length(); worker++) {
            endpoints.add(address((first + worker) % workers.length()) + ":7400");
        }
        endpoints.forEach(document.putArray("endpoints")::add);
        return document.toString();
    }

    /** Kills the workers, ends the store. */
    @Override
    public void close() {
        for (int number = 0; number < workers.length(); number++) {
            JavaProcess worker = workers.get(number);
            if (worker != null) {
                worker.kill();
            }
        }
        database.close();
        store.close();
        if (wire != null) {
            wire.close();
        }
        environment.close();
    }
}
