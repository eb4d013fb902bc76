/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import dev.ratchet.protocol.security.TransportSecurity;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.log.StoreDirectory;
import dev.ratchet.store.server.Served;
import dev.ratchet.store.server.StoreServer;
import dev.ratchet.store.transaction.StoreConnection;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An engine behind a server with mutual TLS on loopback, behind a {@link Proxy}; and clients of it. */
public final class ServedEngine implements AutoCloseable {

    public static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");
    private static final Identity STORE = new Identity("team-a", "orders", Kind.STORE, "orders-store-0");

    public final TestAuthority authority = new TestAuthority("orders-ca");
    public final SystemEnvironment environment = new SystemEnvironment();
    public final EmbeddedEngine engine;
    private final List<RemoteConnection> clients = new ArrayList<>();
    private StoreServer server;
    final Proxy proxy;

    public ServedEngine() {
        this(EngineSettings.DEFAULT);
    }

    public ServedEngine(EngineSettings settings) {
        engine = new EmbeddedEngine(environment, settings, Durability.NONE, StartingPoint.empty());
        server = start(0, engine, 1);
        proxy = new Proxy(server.sessionPort());
    }

    private StoreServer start(int port, StoreConnection engine, long generation) {
        StoreServer.Settings settings = new StoreServer.Settings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "team-a",
                "orders",
                "0.1.0");
        Served served = new Served(engine, generation, target -> this.engine
                .freeze()
                .thenApplyAsync(state -> StoreDirectory.backup(target, generation, state)));
        return StoreServer.start(settings, served, security(authority.issue(STORE)), environment);
    }

    /** Stops the server process, as far as clients can tell, and starts another on the same engine. */
    void restartServer(long generation) {
        int port = server.sessionPort();
        server.close();
        server = start(port, engine, generation);
    }

    int healthPort() {
        return server.healthPort();
    }

    /** A number among the server's metrics, by its name with labels. */
    long metric(String sample) throws IOException {
        try (InputStream body = URI.create("http://127.0.0.1:" + healthPort() + "/metrics")
                .toURL()
                .openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(sample + " "))
                    .mapToLong(line -> Long.parseLong(line.substring(sample.length() + 1)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** A worker's connection, closed with this object. */
    public RemoteConnection connect() {
        return connect(authority.issue(WORKER), WORKER);
    }

    /** A worker's connection with threads of its own, closed with this object. */
    RemoteConnection connect(Environment threads) {
        return connect(security(authority.issue(WORKER)), WORKER, proxy.port(), threads);
    }

    RemoteConnection connect(Issued certificate, Identity as) {
        return connect(security(certificate), as, proxy.port());
    }

    /** A worker's connection to another server, closed with this object. */
    RemoteConnection connectTo(int port) {
        return connect(security(authority.issue(WORKER)), WORKER, port);
    }

    /** A worker's connection with credentials that may change, closed with this object. */
    RemoteConnection connect(TransportSecurity security) {
        return connect(security, WORKER, proxy.port());
    }

    private RemoteConnection connect(TransportSecurity security, Identity as, int port) {
        return connect(security, as, port, environment);
    }

    private RemoteConnection connect(TransportSecurity security, Identity as, int port, Environment threads) {
        RemoteConnection client = new RemoteConnection(
                () -> security.channelBuilder("127.0.0.1:" + port, STORE.authority())
                        .directExecutor()
                        .build(),
                as,
                "0.1.0",
                threads);
        clients.add(client);
        return client;
    }

    /** A channel to the server itself, which the caller shuts down. */
    ManagedChannel channel(Identity as) {
        return security(authority.issue(as))
                .channelBuilder("127.0.0.1:" + server.sessionPort(), STORE.authority())
                .build();
    }

    static MutualTls security(Issued issued) {
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    @Override
    public void close() {
        clients.forEach(RemoteConnection::close);
        proxy.close();
        server.close();
        engine.close();
        environment.close();
    }
}
