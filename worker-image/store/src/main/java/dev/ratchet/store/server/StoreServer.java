/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.health.HealthPort;
import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.TransportSecurity;
import dev.ratchet.protocol.store.v1.BackupGrpc;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.StoreConnection;
import io.grpc.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine served to the workers of one cluster. Owns its two ports, not the engine: whoever opened that closes it
 * after this. Handlers run on the network's threads, because the engine's calls return at once.
 */
public final class StoreServer implements AutoCloseable {

    /**
     * Where a server listens, and for whom.
     *
     * @param sessions address of the gRPC port
     * @param health address of the HTTP port
     * @param namespace namespace of the cluster whose workers may come
     * @param cluster name of that cluster
     * @param release of Ratchet, for the logs of clients
     */
    public record Settings(
            InetSocketAddress sessions, InetSocketAddress health, String namespace, String cluster, String release) {}

    private static final long GRACE_SECONDS = 2;
    private static final long ENGINE_ANSWER_MILLIS = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(StoreServer.class);

    private final Server server;
    private final HealthPort health;

    private StoreServer(Server server, HealthPort health) {
        this.server = server;
        this.health = health;
    }

    /**
     * Listens from now on.
     *
     * @throws UncheckedIOException if a port can not be had
     */
    public static StoreServer start(
            Settings settings, Served served, TransportSecurity security, Environment environment) {
        StoreMetrics metrics = new StoreMetrics();
        StreamSessions streamSessions = new StreamSessions(served.generation(), settings.release(), metrics);
        CallerPolicy policy = new CallerPolicy(
                settings.namespace(),
                settings.cluster(),
                Map.of(
                        StoreGrpc.SERVICE_NAME,
                        Set.of(Identity.Kind.WORKER),
                        BackupGrpc.SERVICE_NAME,
                        Set.of(Identity.Kind.WORKER, Identity.Kind.STORE)));
        Server server = security.serverBuilder(settings.sessions(), policy)
                .directExecutor()
                .addService(new StoreService(served.engine(), streamSessions, environment))
                .addService(new BackupService(served))
                .build();
        InetSocketAddress address = settings.sessions();
        try {
            server.start();
            address = settings.health();
            HealthPort health = new HealthPort(
                    address, Optional::empty, () -> notReady(served.engine(), environment), metrics::text);
            LOG.info(
                    "Store serves: sessions={}:{} health={} cluster={}/{} generation={}",
                    settings.sessions().getHostString(),
                    server.getPort(),
                    health.port(),
                    settings.namespace(),
                    settings.cluster(),
                    served.generation());
            return new StoreServer(server, health);
        } catch (IOException taken) {
            server.shutdownNow();
            // That of gRPC repeats the address, and has the reason as its cause.
            Throwable reason = taken.getCause() == null ? taken : taken.getCause();
            throw new UncheckedIOException(
                    "The store can not listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + reason.getMessage(),
                    taken);
        }
    }

    /** The engine is asked for a read version, which it gives while it can commit. */
    private static CompletableFuture<Optional<String>> notReady(StoreConnection engine, Environment environment) {
        CompletableFuture<Optional<String>> answer = engine.readVersion(new ReadVersionRequest(false, true))
                .handle((version, failure) -> Optional.ofNullable(failure).map(Throwable::getMessage));
        Environment.Cancellable timer = environment.schedule(
                ENGINE_ANSWER_MILLIS,
                () -> answer.complete(Optional.of("the engine did not answer within " + ENGINE_ANSWER_MILLIS + " ms")));
        return answer.whenComplete((problem, failure) -> timer.cancel());
    }

    /** Port of the sessions; the one asked for, or the one that was free where 0 was asked for. */
    public int sessionPort() {
        return server.getPort();
    }

    /** Port of health and metrics. */
    public int healthPort() {
        return health.port();
    }

    /** Ends every session and gives up the ports. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            if (!server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Store connections did not end within {} s", GRACE_SECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        health.close();
    }
}
