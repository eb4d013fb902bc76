/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.artifact.ArtifactUse;
import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.execute.TaskRuntime;
import dev.ratchet.futures.gateway.GatewayIdentity;
import dev.ratchet.futures.gateway.GatewayService;
import dev.ratchet.futures.gateway.RowIntake;
import dev.ratchet.futures.gateway.SettledOnly;
import dev.ratchet.futures.gateway.ViewFeeds;
import dev.ratchet.futures.gateway.ViewSource;
import dev.ratchet.futures.gateway.Waiters;
import dev.ratchet.futures.isolation.TaskProcesses;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.log.LogsService;
import dev.ratchet.futures.log.ProgressBoard;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.futures.nesting.Loopback;
import dev.ratchet.futures.nesting.TaskClients;
import dev.ratchet.futures.object.Adoption;
import dev.ratchet.futures.object.ObjectClient;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectsService;
import dev.ratchet.futures.object.ValueRelay;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.upkeep.AgreedClock;
import dev.ratchet.futures.worker.Worker;
import dev.ratchet.futures.worker.WorkerCapacity;
import dev.ratchet.futures.worker.WorkerObjects;
import dev.ratchet.membership.ForwardingHoldings;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.client.ClientLeases;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.logs.v1.LogsGrpc;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.sessions.v1.SessionSlotsGrpc;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.BindableService;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/**
 * Everything that one worker process does with futures, behind one door: {@link Holdings} for membership, gRPC services
 * for clients and other workers, figures for metrics. Make it when the seat's object is there, give it to membership,
 * serve {@link #services()}; it starts to work when membership settles it, and ends with {@link #close()}.
 */
public final class FuturesEngine implements ForwardingHoldings, AutoCloseable {

    private final ObjectStore objects;
    private final CodeCache code;
    private final ArtifactUse uses;
    private final Waiters waiters;
    private final AgreedClock clock;
    private final TaskClients clients;
    private final TaskProcesses processes;
    private final ClientLeases leases;
    private final Worker worker;
    private final GatewayService gateway;
    private final SettledOnly clientCalls;
    private final List<BindableService> services;
    private final FuturesMetrics metrics;

    /**
     * Opens the data directory, and starts nothing yet.
     *
     * @param peers channels to the other workers
     * @param loopback how tasks reach this worker's gateway
     * @param ring where this worker's lines go; see {@link dev.ratchet.futures.log.TaskOutput#install}
     * @param slotThreads makes the threads that run users' code, one per task; they must not hold the process
     * @throws IOException if the data directory can not be used
     */
    public FuturesEngine(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Members members,
            Liveness liveness,
            Peers peers,
            Loopback loopback,
            Environment environment,
            FuturesOptions options,
            LogRing ring,
            ThreadFactory slotThreads)
            throws IOException {
        clock = new AgreedClock(environment, liveness, seat.name());
        FutureStore store = new FutureStore(database, new FutureKeys(keyspace), clock);
        objects = objectStore(options);
        code = new CodeCache(store, options.dataDirectory().resolve("artifacts"));
        uses = new ArtifactUse(store, code);
        waiters = new Waiters();
        ObjectClient client = new ObjectClient(peers, store.environment());
        ObjectLocator locator = new ObjectLocator(store, seat, members, liveness, objects, client);
        WorkCounters counters = new WorkCounters();
        clients = taskClients(options, store, loopback, environment);
        processes = taskProcesses(options, objects, environment);
        leases = new ClientLeases(database, keyspace, seat, members, liveness, environment, ClientLeases.TTL_MILLIS);
        WorkerContext context = new WorkerContext(store, seat, members, liveness);
        worker = new Worker(
                context,
                peers,
                new WorkerObjects(objects, client, locator),
                new TaskRuntime(code, clients, processes, slotThreads),
                new WorkerCapacity(options.threads(), options.capacity(), options.slots()),
                leases,
                waiters,
                counters,
                new Canary(objects, environment));
        ValueRelay values = new ValueRelay(store, locator, objects, client, liveness, (id, missing) -> worker.awaiting()
                .revive(id, missing));
        ProgressBoard board = new ProgressBoard();
        gateway = new GatewayService(
                new GatewayIdentity(options.namespace(), options.cluster(), options.release()),
                context,
                leases,
                worker,
                waiters,
                values,
                peers,
                ring,
                board,
                objects);
        clients.serve(gateway);
        processes.serve(gateway);
        clientCalls = new SettledOnly(seat.name(), worker::isSettled);
        services = List.of(
                clientCalls.of(LargeMessages.serve(gateway)),
                // What this process has not taken up yet is not missing.
                new SettledOnly(seat.name(), worker::isSettled)
                        .of(LargeMessages.serve(
                                new ObjectsService(objects, new Adoption(store, seat, members, liveness, locator)))),
                new LogsService(ring, board),
                worker.sessionSlots());
        metrics = new FuturesMetrics(this, counters, store.transitions(), objects);
    }

    private static ObjectStore objectStore(FuturesOptions options) throws IOException {
        return new ObjectStore(
                options.dataDirectory().resolve("objects"),
                options.objectStoreMemoryBytes(),
                options.objectStoreSpillBytes(),
                options.isolation().sharedMemory(),
                options.dataOnVolume());
    }

    private static TaskClients taskClients(
            FuturesOptions options, FutureStore store, Loopback loopback, Environment environment) {
        String id = "tasks-" + Long.toHexString(environment.random().nextLong());
        return new TaskClients(options.namespace(), options.cluster(), id, store, loopback);
    }

    private static TaskProcesses taskProcesses(FuturesOptions options, ObjectStore objects, Environment environment) {
        return new TaskProcesses(
                options.isolation(),
                options.dataDirectory().resolve("isolated"),
                options.namespace(),
                options.cluster(),
                options.threads(),
                objects,
                environment);
    }

    /** Who may call which of {@link #services()}, by full service name. */
    public static Map<String, Set<Kind>> callers() {
        return Map.of(
                GatewayGrpc.SERVICE_NAME, Set.of(Kind.CLIENT),
                ObjectsGrpc.SERVICE_NAME, Set.of(Kind.WORKER),
                LogsGrpc.SERVICE_NAME, Set.of(Kind.WORKER),
                SessionSlotsGrpc.SERVICE_NAME, Set.of(Kind.WORKER));
    }

    /** Has the views of the cluster's circuit read and followed there, and rows added, for clients and tasks. */
    public void serveCircuit(ViewSource source, ViewFeeds feeds, RowIntake intake) {
        gateway.serveCircuit(source, feeds, intake);
    }

    /**
     * The jars that were uploaded, for a circuit whose program is in one.
     *
     * @param named reads which jars the circuit names: they stay
     */
    public ArtifactUse artifacts(Function<ReadTransaction, CompletableFuture<Set<ByteString>>> named) {
        worker.collector().keepAlso(named);
        return uses;
    }

    /** To be served at the worker's address. */
    public List<BindableService> services() {
        return services;
    }

    /**
     * Has clients go elsewhere with what they wait for: to be called when the worker has given its seat free or lost
     * it, before its server ends, which waits for calls that have not ended.
     */
    public void endStreams() {
        clientCalls.endStreams();
    }

    /** To be published. */
    public FuturesMetrics metrics() {
        return metrics;
    }

    /** To be published, too: those of slots that have come since the last call. */
    public List<Metric> newSlotMetrics() {
        return worker.slotMetrics().appeared();
    }

    @Override
    public Holdings holdings() {
        return worker;
    }

    @Override
    public Map<String, Long> freeResources() {
        Map<String, Long> free = new HashMap<>(worker.freeResources());
        free.put(AgreedClock.WALL_MILLIS, clock.ownMillis());
        return free;
    }

    /**
     * Completes with a future whose code goes on long after it was interrupted: only the end of this process ends it.
     */
    public CompletableFuture<FutureId> stuck() {
        return worker.stuck();
    }

    /** Stops everything; nothing more is recorded. Drain before, unless the seat is lost. */
    @Override
    public void close() {
        worker.abandon();
        clients.close();
        processes.close();
        code.close();
        objects.close();
    }

    int connectedClients() {
        return leases.size();
    }

    long collected() {
        return worker.collector().collected();
    }

    int openLoaders() {
        return code.openLoaders();
    }

    List<Metric> queues() {
        return worker.queues();
    }

    int waitedFor() {
        return waiters.size();
    }
}
