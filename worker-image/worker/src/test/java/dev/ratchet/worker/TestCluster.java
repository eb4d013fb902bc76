/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import dev.ratchet.protocol.coordinator.v1.WatchRequest;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.server.StoreServer;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
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
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store in this process, workers as processes of their own on loopback addresses, and an operator's eyes. Addresses
 * are drawn from this process's id, so that two builds on one machine do not meet.
 */
final class TestCluster implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String NAMESPACE = "team-a";
    private static final String CLUSTER = "orders";

    private final Path directory;
    private final String network;
    private final TestCertificates certificates = new TestCertificates();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final EmbeddedStore engine = EmbeddedStore.open(EmbeddedOptions.inMemory(), environment);
    private final StoreServer store;
    private final MutualTls operator;
    private final List<Process> processes = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    TestCluster(Path directory) throws Exception {
        this.directory = directory;
        long pid = ProcessHandle.current().pid();
        this.network = "127." + (64 + pid / 250 % 24) + "." + (1 + pid % 250) + ".";
        Identity self = new Identity(NAMESPACE, CLUSTER, Kind.STORE, "orders-store-0");
        store = StoreServer.start(
                new StoreServer.Settings(
                        new InetSocketAddress(network + "1", 7401),
                        new InetSocketAddress(network + "1", 7402),
                        NAMESPACE,
                        CLUSTER,
                        "0.1.0"),
                engine.served(),
                MutualTls.fromDirectory(certificates.issue(directory.resolve("store-tls"), self)),
                environment);
        operator = MutualTls.fromDirectory(certificates.issue(
                directory.resolve("operator-tls"), new Identity(NAMESPACE, CLUSTER, Kind.OPERATOR, "operator")));
        Files.createDirectories(directory.resolve("config"));
        admit("default", "batch");
    }

    /** From now on nobody answers for the store. */
    void stopStore() {
        store.close();
    }

    /** Lists the clients that may call from now on. */
    void admit(String... clients) throws IOException {
        configure("", clients);
    }

    /**
     * Names the circuit that runs from now on.
     *
     * @param inputs that bring rows by themselves, as JSON
     */
    void runCircuit(String program, String inputs) throws IOException {
        ObjectNode circuit = new ObjectMapper().createObjectNode();
        circuit.put("name", "totals").put("program", program).put("suspended", false);
        circuit.put("threads", 2).put("checkpointIntervalMillis", 500).put("retainedVersions", 2);
        circuit.put("onError", "Collect").put("decision", "").putObject("retainedSteps");
        circuit.set("inputs", new ObjectMapper().readTree(inputs));
        configure("\"circuit\":" + circuit + ",", "default", "batch");
    }

    /** Says how many slots of a resource each worker has for sessions. */
    void offerSlots(String resource, int count) throws IOException {
        configure("\"slots\":{\"" + resource + "\":" + count + "},", "default", "batch");
    }

    private void configure(String member, String... clients) throws IOException {
        Path written = directory.resolve("config/new.json");
        String names = "\"" + String.join("\",\"", clients) + "\"";
        String store = network + "1:7401";
        Files.writeString(written, """
                {"cluster":"%s","namespace":"%s","clients":[%s],%s
                 "store":{"type":"Embedded","address":"%s","subspace":"team-a/orders"}}
                """.formatted(CLUSTER, NAMESPACE, names, member, store));
        Files.move(written, directory.resolve("config/cluster.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Workers that start from now on are told to use a FoundationDB. */
    void useFoundationDb(Path clusterFile) throws IOException {
        Files.writeString(directory.resolve("config/cluster.json"), """
                {"cluster":"%s","namespace":"%s","clients":[],
                 "store":{"type":"FoundationDB","clusterFile":"%s","subspace":"team-a/orders"}}
                """.formatted(CLUSTER, NAMESPACE, clusterFile));
    }

    static String seat(int ordinal) {
        return CLUSTER + "-w-" + ordinal;
    }

    String address(int ordinal) {
        return network + (10 + ordinal);
    }

    /** The environment of a worker's pod, to be changed before {@link #start(ProcessBuilder)}. */
    ProcessBuilder worker(int ordinal) throws Exception {
        String seat = seat(ordinal);
        Path home = Files.createDirectories(directory.resolve(seat));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                // Start sooner: what javac made is known to be well-formed.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.ratchet.worker.WorkerMain");
        Identity identity = new Identity(NAMESPACE, CLUSTER, Kind.WORKER, seat);
        builder.environment().keySet().removeIf(name -> name.startsWith("RATCHET_"));
        builder.environment().put("RATCHET_CLUSTER", CLUSTER);
        builder.environment().put("RATCHET_NAMESPACE", NAMESPACE);
        builder.environment().put("RATCHET_SEAT", seat);
        builder.environment().put("RATCHET_POD_UID", "pod-" + ordinal);
        builder.environment().put("RATCHET_POD_IP", address(ordinal));
        builder.environment().put("RATCHET_HOST", "node-1");
        builder.environment()
                .put("RATCHET_CONFIG_DIR", directory.resolve("config").toString());
        builder.environment()
                .put(
                        "RATCHET_TLS_DIR",
                        certificates
                                .issue(
                                        home.resolve("tls"),
                                        identity,
                                        Identity.authority(CLUSTER + "-client", NAMESPACE))
                                .toString());
        builder.environment()
                .put(
                        "RATCHET_DATA_DIR",
                        Files.createDirectories(home.resolve("data")).toString());
        builder.environment()
                .put(
                        "RATCHET_TEMP_DIR",
                        Files.createDirectories(home.resolve("tmp")).toString());
        builder.environment().put("RATCHET_THREADS", "2");
        builder.environment().put("RATCHET_OBJECT_STORE_MEMORY_BYTES", "16777216");
        builder.environment().put("RATCHET_OBJECT_STORE_SPILL_BYTES", "16777216");
        builder.environment().put("RATCHET_DRAIN_TIMEOUT_MILLIS", "30000");
        builder.environment().put("RATCHET_ISOLATED_JAVA_OPTIONS", "-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log(ordinal).toFile()));
        return builder;
    }

    Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    Path log(int ordinal) {
        return directory.resolve(seat(ordinal) + ".log");
    }

    /** The status and body of a GET on the health port. */
    HttpResponse<String> get(int ordinal, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + address(ordinal) + ":7402" + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    boolean isReady(int ordinal) {
        try {
            return get(ordinal, "/readyz").statusCode() == 200;
        } catch (IOException notListening) {
            return false;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** What the coordinator says now, asked at one worker and following its redirect. */
    Optional<ClusterReport> clusterReport(int ordinal) {
        ClusterReport first = ask(ordinal);
        if (!first.getRedirect()) {
            return Optional.of(first);
        }
        for (int other = 0; other < 4; other++) {
            if (seat(other).equals(first.getCoordinatorSeat())) {
                ClusterReport second = ask(other);
                return second.getRedirect() ? Optional.empty() : Optional.of(second);
            }
        }
        return Optional.empty();
    }

    /** The same once there is one: none is given while coordinators change, or by a worker that answers late. */
    ClusterReport awaitClusterReport(int ordinal) {
        return await("a report of the coordinator")
                .atMost(LIMIT)
                .until(() -> clusterReport(ordinal), Optional::isPresent)
                .orElseThrow();
    }

    private ClusterReport ask(int ordinal) {
        ManagedChannel channel = operatorChannel(ordinal);
        try {
            Iterator<ClusterReport> clusterReports = CoordinatorGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .watch(WatchRequest.newBuilder()
                            .setCluster(CLUSTER)
                            .setNamespace(NAMESPACE)
                            .build());
            return clusterReports.next();
        } catch (StatusRuntimeException unreachable) {
            return ClusterReport.newBuilder().setRedirect(true).build();
        } finally {
            channel.shutdownNow();
        }
    }

    private Path clientCredentials() throws Exception {
        return certificates.issue(
                directory.resolve("client-tls"), new Identity(NAMESPACE, CLUSTER, Kind.CLIENT, "batch"));
    }

    /** Calls a worker as that client does, without its library. */
    ManagedChannel clientChannel(int ordinal) throws Exception {
        return MutualTls.fromDirectory(clientCredentials())
                .channelBuilder(address(ordinal) + ":7400", Identity.authority(CLUSTER + "-client", NAMESPACE))
                .build();
    }

    /** A client of the circuit over HTTP, with that client's certificate. */
    HttpClient circuitClient() throws Exception {
        return HttpClient.newBuilder()
                .sslContext(MutualTls.fromDirectory(clientCredentials())
                        .clientContext(Identity.authority(CLUSTER + "-client", NAMESPACE)))
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    /** A call of the circuit over HTTP, at one worker. */
    HttpRequest.Builder circuit(int ordinal, String path) {
        return HttpRequest.newBuilder(URI.create("https://" + address(ordinal) + ":7404" + path))
                .timeout(Duration.ofSeconds(20));
    }

    /** What a worker publishes under a name. */
    double figure(int ordinal, String name) throws IOException, InterruptedException {
        return get(ordinal, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** What a client is given to reach these workers. */
    ConnectionOptions connection(int... ordinals) throws Exception {
        Path tls = clientCredentials();
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("cluster", CLUSTER)
                .put("namespace", NAMESPACE)
                .put("authority", Identity.authority(CLUSTER + "-client", NAMESPACE))
                .put("certificate", Files.readString(tls.resolve("tls.crt")))
                .put("key", Files.readString(tls.resolve("tls.key")))
                .put("authorities", Files.readString(tls.resolve("ca.crt")));
        ArrayNode endpoints = document.putArray("endpoints");
        for (int ordinal : ordinals) {
            endpoints.add(address(ordinal) + ":7400");
        }
        return ConnectionOptions.ofDocument(document.toString());
    }

    ManagedChannel operatorChannel(int ordinal) {
        return operator.channelBuilder(address(ordinal) + ":7400", Identity.authority(seat(ordinal), NAMESPACE))
                .build();
    }

    /** Commits the layout of the seats of these ordinals, as the operator does. */
    void commit(long from, long epoch, int... ordinals) {
        Layout.Builder layout = Layout.newBuilder().setEpoch(epoch).setDigest("sha256:" + epoch);
        for (int ordinal : ordinals) {
            layout.addSeats(seat(ordinal));
        }
        CommitLayoutRequest request = CommitLayoutRequest.newBuilder()
                .setFromEpoch(from)
                .setLayout(layout)
                .build();
        await("the layout of epoch " + epoch + " to be committed by who coordinates then")
                .atMost(LIMIT)
                .until(() -> isCommitted(request));
        await("the layout of epoch " + epoch + " to be told")
                .atMost(LIMIT)
                .until(() -> awaitClusterReport(0).getLayout().getEpoch() == epoch);
    }

    private boolean isCommitted(CommitLayoutRequest request) {
        String coordinator = awaitClusterReport(0).getCoordinatorSeat();
        ManagedChannel channel =
                operatorChannel(Integer.parseInt(coordinator.substring(coordinator.lastIndexOf('-') + 1)));
        try {
            return CoordinatorGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .commitLayout(request)
                    .getCommitted();
        } catch (StatusRuntimeException notTheCoordinatorAnyMore) {
            return false;
        } finally {
            channel.shutdownNow();
        }
    }

    Optional<ReportedWorker> worker(Optional<ClusterReport> clusterReport, int ordinal) {
        return clusterReport.flatMap(said -> said.getWorkersList().stream()
                .filter(worker -> worker.getSeat().equals(seat(ordinal)))
                .findFirst());
    }

    /** Waits for the end of a process and returns its exit code. */
    static int exitCode(Process process) throws InterruptedException, TimeoutException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException("The process " + process.pid() + " has not ended within " + LIMIT);
        }
        return process.exitValue();
    }

    /** Waits for the ends of its processes: the next cluster has their addresses, and their folders are deleted. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process ->
                process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join());
        store.close();
        environment.close();
    }
}
