/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import ch.qos.logback.classic.LoggerContext;
import com.apple.foundationdb.Database;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.share.SharesService;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.feeds.FeedDuty;
import dev.ratchet.feeds.Feeds;
import dev.ratchet.futures.FuturesEngine;
import dev.ratchet.futures.FuturesOptions;
import dev.ratchet.futures.isolation.SharedFolder;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.nesting.Loopback;
import dev.ratchet.futures.session.WorkerTraits;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.process.Membership;
import dev.ratchet.membership.seat.SeatKeeper;
import dev.ratchet.membership.service.GrpcWorkerCalls;
import dev.ratchet.protocol.health.HealthPort;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.Access;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.foundationdb.FoundationDbException;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.keyspace.WrongStoreException;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker, put together and run: it opens the store, listens, takes its seat, works, and ends when it is told to or
 * when it has to. The threads that wait here are those of the process, not of any protocol.
 */
final class WorkerProcess {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int PORT = 7400;
    private static final int HEALTH_PORT = 7402;
    private static final int EXCHANGE_PORT = 7403;
    private static final int CIRCUIT_PORT = 7404;
    private static final long SERVER_GRACE_MILLIS = 1_000;
    private static final long CIRCUIT_GRACE_MILLIS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(WorkerProcess.class);

    private final WorkerSettings settings;
    private final BootCounter boot;
    private final LogRing ring;
    private final LastWords lastWords;
    private final SystemEnvironment environment;
    private final WorkerMetrics metrics;
    private final CompletableFuture<ExitCode> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> terminating = new CompletableFuture<>();
    private final CompletableFuture<ExitCode> finished = new CompletableFuture<>();

    /** Known once the configuration was read. */
    private boolean hasVolume;

    private volatile @Nullable Membership membership;

    /** @param boot held to the end of {@link #run} */
    WorkerProcess(
            WorkerSettings settings,
            BootCounter boot,
            LogRing ring,
            LastWords lastWords,
            SystemEnvironment environment) {
        this.settings = settings;
        this.boot = boot;
        this.ring = ring;
        this.lastWords = lastWords;
        this.environment = environment;
        this.metrics = new WorkerMetrics(settings.cluster(), settings.seat(), Release.VERSION);
    }

    /** Runs the worker to its end and returns why it ended. Never throws. */
    ExitCode run() {
        logProperty("seat", settings.seat());
        logProperty("incarnation", "none");
        logProperty("term", "none");
        ExitCode code = ExitCode.BROKEN;
        try (boot;
                HealthPort health = new HealthPort(
                        listening(HEALTH_PORT),
                        this::notLive,
                        () -> CompletableFuture.completedFuture(notReady()),
                        metrics::text)) {
            LOG.info(
                    "Worker starts: version={} host={} podUid={} boot={} threads={}",
                    Release.VERSION,
                    settings.host(),
                    settings.podUid(),
                    boot.number(),
                    settings.threads());
            code = runOnStore(boot.number());
        } catch (IOException
                | ConfigurationException
                | IllegalArgumentException
                | FoundationDbException
                | WrongStoreException unusable) {
            LOG.error("The worker can not run as it is configured: {}", unusable.getMessage());
            lastWords.say(String.valueOf(unusable.getMessage()));
            code = ExitCode.MISCONFIGURED;
        } catch (StoreSilentException silent) {
            lastWords.say(String.valueOf(silent.getMessage()));
            code = ExitCode.STORE_SILENT;
        } catch (RuntimeException | InterruptedException unexpected) {
            LOG.error("The worker ends for a reason that nobody expected", unexpected);
        } finally {
            LOG.info("Worker ends: outcome={} exitCode={}", code, code.number());
            finished.complete(code);
        }
        return code;
    }

    /** Begins an orderly end, waits for it and returns its outcome; after the end just that. */
    ExitCode terminate() {
        terminating.complete(null);
        return finished.join();
    }

    private ExitCode runOnStore(long bootNumber) throws IOException, InterruptedException {
        MutualTls security = MutualTls.fromDirectory(settings.tlsDirectory());
        Identity self = new Identity(settings.namespace(), settings.cluster(), Identity.Kind.WORKER, settings.seat());
        requireCertificateOf(self, security);
        ClusterConfiguration configuration = settings.clusterConfiguration();
        hasVolume = WorkerVolumes.areTold(settings.configurationDirectory());
        AllowedClients clients = new AllowedClients(settings.configurationDirectory());
        Keyspace keyspace = new Keyspace(configuration.store().subspace());
        Access access = new Access(security, self, Release.VERSION);
        try (Database database = DatabaseFactory.open(configuration.store(), access, environment);
                PeerChannels peers = new PeerChannels(security, settings.namespace())) {
            Supplier<Optional<String>> silence = () -> DatabaseFactory.silence(configuration.store());
            Optional<StoreRecord> store =
                    new StoreOpening(settings, lastWords, silence, environment).open(database, keyspace, terminating);
            if (store.isEmpty()) {
                return ExitCode.DONE;
            }
            Membership joining = new Membership(
                    database,
                    keyspace,
                    store.get(),
                    settings.namespace(),
                    settings.cluster(),
                    description(bootNumber),
                    settings.lease(),
                    new TcpProber(environment),
                    new GrpcWorkerCalls(peers),
                    environment);
            new ConfigurationFollower(configuration, settings::clusterConfiguration, this::reconfigured, environment)
                    .start();
            clients.follow(environment);
            WorkerCircuit.Parts circuit = new WorkerCircuit.Parts(
                    database,
                    keyspace,
                    joining,
                    peers,
                    hostAndPort(),
                    security,
                    self,
                    clients,
                    settings.dataDirectory().resolve("circuit"),
                    settings.circuitTokenFile(),
                    environment);
            return work(circuit, peers, new ClientAdmission(clients));
        }
    }

    private CircuitHost circuitHost(WorkerCircuit.Parts parts, FuturesEngine engine) {
        DataflowStore records = new DataflowStore(parts.database(), parts.keyspace());
        JarSource jars = new CircuitJars(engine.artifacts(transaction -> Programs.jars(transaction, records)
                .thenApply(named -> named.stream().map(CircuitJars::digest).collect(Collectors.toSet()))));
        return new CircuitHost(
                () -> CircuitConfiguration.read(settings.configurationDirectory()),
                () -> new WorkerCircuit(
                        parts, jars, listening(EXCHANGE_PORT), settings.address(), listening(CIRCUIT_PORT)),
                metrics::bind,
                environment);
    }

    private static void requireCertificateOf(Identity self, MutualTls security) {
        Optional<Identity> found = security.identity();
        if (!found.equals(Optional.of(self))) {
            throw new ConfigurationException(List.of("The certificate in RATCHET_TLS_DIR is that of "
                    + found.map(Identity::uri).orElse("nobody") + ", this process is " + self.uri()));
        }
    }

    private WorkerDescription description(long bootNumber) {
        long nonce = environment.random().nextLong();
        return new WorkerDescription(
                settings.seat(),
                settings.podUid(),
                bootNumber,
                nonce == 0 ? 1 : nonce,
                settings.host(),
                hostAndPort(),
                ReleaseFormats.OWN,
                settings.threads(),
                labels(),
                hasVolume);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>(settings.capacity().labels());
        labels.putAll(WorkerTraits.described(settings.labels()));
        return labels;
    }

    /**
     * Every address of the pod, because {@code kubectl port-forward} comes by its loopback. Where pods are told apart
     * by loopback addresses, each has its own.
     */
    private InetSocketAddress listening(int port) {
        InetAddress address = settings.address();
        return address.isLoopbackAddress() ? new InetSocketAddress(address, port) : new InetSocketAddress(port);
    }

    private String hostAndPort() {
        String host = settings.address().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + PORT;
    }

    private ExitCode work(WorkerCircuit.Parts parts, PeerChannels peers, ClientAdmission admission)
            throws IOException, InterruptedException {
        Membership joining = parts.membership();
        OfferedSlots slots = new OfferedSlots(
                settings.configurationDirectory(), settings.capacity().custom().keySet());
        SharedFolder.keepSwept(SHARED_MEMORY, environment);
        FuturesOptions options = new FuturesOptions(
                settings.namespace(),
                settings.cluster(),
                Release.VERSION,
                settings.threads(),
                settings.capacity(),
                slots.capacity(),
                settings.dataDirectory(),
                hasVolume,
                settings.objectStoreMemoryBytes(),
                settings.objectStoreSpillBytes(),
                settings.isolation().sharing(SharedFolder.of(SHARED_MEMORY, settings.objectStoreMemoryBytes())));
        try (CallThreads threads = new CallThreads();
                FuturesEngine engine = new FuturesEngine(
                        parts.database(),
                        parts.keyspace(),
                        joining.seat(),
                        joining.members(),
                        joining.liveness(),
                        peers,
                        Loopback.inProcess(environment.executor()),
                        environment,
                        options,
                        ring,
                        Thread.ofVirtual().name("ratchet-task-", 0).factory())) {
            joining.prepare(engine);
            metrics.bind(joining.metrics());
            metrics.bind(engine.metrics().all());
            metrics.bind(engine.newSlotMetrics());
            slots.follow(environment, () -> metrics.bind(engine.newSlotMetrics()));
            Neighbours neighbours = new Neighbours(
                    settings.seat(), joining.liveness(), member -> peers.channel(member.seat(), member.address()));
            CircuitHost circuit = circuitHost(parts, engine);
            circuit.open();
            engine.serveCircuit(
                    new CircuitViews(() -> circuit.asked().answers(), environment.blockingExecutor()),
                    new Feeds(parts.database(), parts.keyspace(), circuit::fed, environment),
                    new CircuitIntake(() -> circuit.asked().intake()));
            List<BindableService> services = new ArrayList<>(joining.services());
            services.addAll(engine.services());
            services.add(new SharesService(
                    circuit, environment.executor(), parts.keyspace().formats()::get));
            Server server = serve(joining, services, parts.security(), admission, neighbours, threads);
            try (FeedDuty feeds = new FeedDuty(parts.database(), parts.keyspace(), circuit::fed, environment)) {
                neighbours.start();
                membership = joining;
                joining.onTerm(circuit::elected);
                joining.addDuty(feeds);
                joining.reportCircuit(circuit::report);
                watch(joining, circuit);
                engine.stuck().thenRunAsync(() -> stuck(joining), environment.executor());
                return outcome.join();
            } finally {
                engine.endStreams();
                leave(circuit);
                neighbours.stop();
                server.shutdown().awaitTermination(SERVER_GRACE_MILLIS, TimeUnit.MILLISECONDS);
                server.shutdownNow();
            }
        }
    }

    /** In order where that does not take long; what is not written by then is taken again from the store. */
    private void leave(CircuitHost circuit) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(1);
        environment.blockingExecutor().execute(() -> {
            circuit.close();
            left.countDown();
        });
        if (!left.await(CIRCUIT_GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
            LOG.warn("The circuit was not left within {} ms", CIRCUIT_GRACE_MILLIS);
        }
    }

    private Server serve(
            Membership joining,
            List<BindableService> services,
            MutualTls security,
            ClientAdmission admission,
            Neighbours neighbours,
            CallThreads threads)
            throws IOException {
        ServerBuilder<?> builder = WorkerServer.builder(
                security,
                listening(PORT),
                settings.namespace(),
                settings.cluster(),
                services,
                threads,
                new PeerAddresses(
                        settings.checksPeerAddresses()
                                ? () -> joining.liveness().latest()
                                : List::of),
                admission,
                new ClientShares(settings.clientLimits(), environment),
                ConnectionAge.DEFAULT);
        builder.addTransportFilter(neighbours.incoming());
        Server server = builder.build().start();
        LOG.info("Worker listens: address={}", hostAndPort());
        return server;
    }

    private void watch(Membership joining, CircuitHost circuit) {
        joining.lost().thenAccept(this::lost);
        joining.onTerm(term -> logProperty("term", term == 0 ? "none" : Long.toString(term)));
        joining.join().thenRun(() -> {
            logProperty("incarnation", Long.toString(joining.seat().incarnation()));
            circuit.start();
        });
        terminating.thenRunAsync(
                () -> {
                    LOG.info("Told to end: drainTimeoutMillis={}", settings.drainTimeoutMillis());
                    joining.leave(settings.drainTimeoutMillis())
                            .whenComplete((empty, failure) ->
                                    outcome.complete(failure == null ? ExitCode.DONE : ExitCode.SEAT_LOST));
                },
                environment.executor());
    }

    /** Whoever has noticed that has said so. */
    private void stuck(Membership joining) {
        joining.leave(settings.drainTimeoutMillis()).whenComplete((empty, failure) -> outcome.complete(ExitCode.STUCK));
    }

    /** A worker whose store was cleared waits for its pod's end: a new process would only take a seat there again. */
    private void lost(String reason) {
        if (!reason.equals(SeatKeeper.STORE_CLEARED)) {
            outcome.complete(ExitCode.SEAT_LOST);
            return;
        }
        LOG.info("The cluster's store was cleared; waiting to be told to end");
        terminating.thenRun(() -> outcome.complete(ExitCode.DONE));
    }

    private void reconfigured(ClusterConfiguration found) {
        LOG.warn("The store is another one now, which only a new process can use: store={}", found.store());
        outcome.complete(ExitCode.RECONFIGURED);
    }

    private Optional<String> notLive() {
        Membership joined = membership;
        if (joined == null || !joined.isJoined() || isCleared(joined)) {
            return Optional.empty();
        }
        if (joined.lost().isDone()) {
            return Optional.of("the seat is lost");
        }
        boolean over = joined.seat().state() != WorkerState.MUST_DIE
                && joined.seat().validUntilNanos() - environment.nanoTime() < 0;
        return over ? Optional.of("the lease is over") : Optional.empty();
    }

    private static boolean isCleared(Membership joined) {
        return SeatKeeper.STORE_CLEARED.equals(joined.lost().getNow(""));
    }

    private Optional<String> notReady() {
        Membership joined = membership;
        WorkerState state = joined == null ? WorkerState.NEW : joined.seat().state();
        return state == WorkerState.HEALTHY && !terminating.isDone()
                ? Optional.empty()
                : Optional.of("the worker is " + (terminating.isDone() ? "ending" : state.toString()));
    }

    private static void logProperty(String name, String value) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.putProperty(name, value);
        }
    }
}
