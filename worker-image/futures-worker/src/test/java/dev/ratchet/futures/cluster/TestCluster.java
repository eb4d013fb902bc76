/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.keyspace.StoreTables;
import dev.ratchet.store.keyspace.Table;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** Workers and clients in one process over one store. */
public final class TestCluster implements AutoCloseable {

    static final String NAMESPACE = "team-a";
    static final String NAME = "orders";

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace(NAMESPACE + "/" + NAME);
    private final Database database;
    private final StoreRecord record;
    private final Path directory;
    private final Map<String, TestWorker> workers = new ConcurrentHashMap<>();
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();
    private final List<AutoCloseable> clients = new ArrayList<>();

    public TestCluster(Path directory) {
        this(directory, UnaryOperator.identity());
    }

    /** @param faults wraps the database that the workers use */
    public TestCluster(Path directory, UnaryOperator<Database> faults) {
        this(directory, faults, ReleaseFormats.OWN);
    }

    /** @param first what the release reads and writes that has made the store */
    TestCluster(Path directory, UnaryOperator<Database> faults, ReleaseFormats first) {
        this.directory = directory;
        Database plain = StoreUnderTest.open(environment);
        this.database = faults.apply(plain);
        this.record = plain.run(transaction -> StoreRecord.openOrCreate(
                        transaction, keyspace, NAMESPACE + "/" + NAME, first, environment.random())
                .join());
    }

    /** A worker on seat {@code orders-w-<n>} that has become HEALTHY, as all others know. */
    public TestWorker start(int ordinal, int threads) throws Exception {
        return start(ordinal, threads, 64 << 20);
    }

    public TestWorker start(int ordinal, int threads, long objectBytes) throws Exception {
        return start(ordinal, Capacity.ofThreads(threads), objectBytes);
    }

    public TestWorker start(int ordinal, Capacity capacity, long objectBytes) throws Exception {
        return start(ordinal, capacity, Map.of(), objectBytes, Optional.empty(), false);
    }

    /** As {@link #start}, with labels that sessions may require. */
    public TestWorker start(int ordinal, int threads, Map<String, String> labels) throws Exception {
        return start(ordinal, Capacity.ofThreads(threads), labels, 64 << 20, Optional.empty(), false);
    }

    /** As {@link #start}, with the data directory that former workers of the seat have had by this method. */
    TestWorker startOnVolume(int ordinal, int threads, long objectBytes) throws Exception {
        Path volume = directory.resolve("volume-" + ordinal);
        return start(ordinal, Capacity.ofThreads(threads), Map.of(), objectBytes, Optional.of(volume), true);
    }

    /** As {@link #start}, with the data directory of the former process of the pod, which this method has started. */
    TestWorker startInPod(int ordinal, int threads, long objectBytes) throws Exception {
        Path pod = directory.resolve("pod-" + ordinal);
        return start(ordinal, Capacity.ofThreads(threads), Map.of(), objectBytes, Optional.of(pod), false);
    }

    /** The next worker of the seat that {@link #startOnVolume} starts finds nothing. */
    void loseVolume(int ordinal) throws IOException {
        Files.move(directory.resolve("volume-" + ordinal), directory.resolve("lost-" + ordinal));
    }

    private TestWorker start(
            int ordinal,
            Capacity capacity,
            Map<String, String> labels,
            long objectBytes,
            Optional<Path> kept,
            boolean onVolume)
            throws Exception {
        TestWorker worker = new TestWorker(
                this, database, record, NAME + "-w-" + ordinal, capacity, labels, objectBytes, kept, onVolume);
        workers.put(worker.address(), worker);
        var unused = worker.join();
        Awaitility.await(worker.address() + " to be healthy, and known to be by all")
                .atMost(Duration.ofSeconds(60))
                .until(() -> worker.membership().seat().state() == WorkerState.HEALTHY
                        && worker.membership().isJoined()
                        && workers.values().stream().allMatch(one -> one.isDead() || one.knows(worker)));
        return worker;
    }

    /** The worker on a seat that had only one. */
    TestWorker worker(String seat) {
        return workers.values().stream()
                .filter(worker -> worker.membership().seat().name().equals(seat))
                .findFirst()
                .orElseThrow();
    }

    /** The sum of a figure of the metrics of all workers. */
    double figure(String name) {
        return workers.values().stream()
                .mapToDouble(worker -> worker.figure(name))
                .sum();
    }

    /** A client whose endpoints are the workers of now. */
    public Ratchet connect() {
        return connect(List.of());
    }

    public Ratchet connect(List<Path> artifacts) {
        return connect(new ConnectionOptions("{}", List.of(), artifacts, Duration.ofSeconds(60), List.of()));
    }

    /** One that reads results with classes of these packages, too. */
    Ratchet connectAllowing(String... packages) {
        return connect(ConnectionOptions.ofDocument("{}").withResultClasses(packages));
    }

    private Ratchet connect(ConnectionOptions options) {
        RemoteRatchet client = new RemoteRatchet(connection(), options, () -> {});
        clients.add(client);
        return client;
    }

    public GatewayConnection connection() {
        return new GatewayConnection(
                NAMESPACE,
                NAME,
                workers.values().stream()
                        .filter(worker -> !worker.isDead())
                        .map(TestWorker::address)
                        .toList(),
                address -> InProcessChannelBuilder.forName(address).build(),
                environment,
                Duration.ofSeconds(60));
    }

    public FutureStore store() {
        return new FutureStore(database, new FutureKeys(keyspace), environment);
    }

    /** The record of a future or block that exists. */
    public FutureRecord record(FutureId id) {
        return found(id).orElseThrow();
    }

    /** The record of a future or block, if it exists. */
    Optional<FutureRecord> found(FutureId id) {
        return store().read(transaction -> store().keys().record(transaction, id))
                .join();
    }

    /** Has the store be another one than it was, as one that is restored from a backup. */
    void restore(long generation) {
        Table<Long> generations = StoreTables.GENERATION.in(keyspace);
        database.run(transaction -> {
            transaction.set(generations.key(), generations.encode(generation));
            return generation;
        });
    }

    /** Says that an upgrade replaces these seats later, as the coordinator does when the operator says so. */
    void replaceLater(String... seats) {
        order(DrainingRecord.newBuilder().addAllOutgoing(List.of(seats)).build());
    }

    /** Has a worker park, as the coordinator does when the operator says so, and waits until it has. */
    void park(TestWorker worker, long drainTimeoutMillis) {
        String seat = worker.membership().seat().name();
        long incarnation = worker.membership().seat().incarnation();
        order(DrainingRecord.newBuilder()
                .putParking(seat, incarnation)
                .setDrainTimeoutMillis(drainTimeoutMillis)
                .build());
        Awaitility.await(seat + " to have parked")
                .atMost(Duration.ofSeconds(60))
                .until(() -> worker.membership().liveness().latest().stream()
                        .anyMatch(member -> member.seat().equals(seat) && member.isParked()));
    }

    /** Takes back what was ordered. */
    void work() {
        order(DrainingRecord.getDefaultInstance());
    }

    private void order(DrainingRecord orders) {
        database.run(transaction -> {
            new CoordinatorTable(keyspace).draining().write(transaction, orders);
            new StoredMembers(keyspace).changed(transaction);
            return orders;
        });
    }

    /** Whether the worker on a seat is leaving. */
    boolean isDraining(String seat) {
        return worker(seat).membership().seat().state() == WorkerState.DRAINING;
    }

    /** What the workers use, with its faults. */
    Database database() {
        return database;
    }

    Environment environment() {
        return environment;
    }

    /** How many rows the items of a generator have. */
    int itemRows(FutureId id) {
        return store().read(transaction -> transaction
                        .getRange(store().keys().items.range(id.value()))
                        .asList())
                .join()
                .size();
    }

    /** Whether there is a session that ends with a client. */
    boolean hasOwnedSessions() {
        SessionKeys sessions = new SessionKeys(store().keys());
        return !store().read(transaction ->
                        transaction.getRange(sessions.owned.range(), 1).asList())
                .join()
                .isEmpty();
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    Path directory() {
        return directory;
    }

    ManagedChannel channel(String address) {
        return channels.computeIfAbsent(
                address, to -> InProcessChannelBuilder.forName(to).build());
    }

    CompletableFuture<Prober.Result> probe(String address) {
        TestWorker worker = workers.get(address);
        return CompletableFuture.completedFuture(
                worker == null || worker.isDead() ? Prober.Result.REFUSED : Prober.Result.ANSWERED);
    }

    /** What is wrong in the store now. */
    public CheckReport check() {
        return new ClusterCheck(store(), new StoredMembers(keyspace)).run().join();
    }

    /** Ends everything, however the test has left it, and checks what is left in the store. */
    @Override
    public void close() throws IOException {
        for (AutoCloseable client : clients) {
            try {
                client.close();
            } catch (Exception unrecorded) {
                System.out.println("A client was closed with futures on their way: " + unrecorded.getMessage());
            }
        }
        workers.values().forEach(TestWorker::close);
        CheckReport report = check();
        channels.values().forEach(ManagedChannel::shutdownNow);
        environment.close();
        assertThat(report.violations())
                .as("what no transaction may leave behind")
                .isEmpty();
    }
}
