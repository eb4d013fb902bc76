/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The circuit of a cluster over HTTPS: rows in, views out, queries. Callers show a client certificate of the cluster or
 * a bearer token. Each request has a virtual thread, so that one which waits holds up no other.
 */
public final class CircuitHttpServer implements AutoCloseable {

    private static final int PLATFORM_THREADS_MAX = 16;
    private static final int PLATFORM_THREADS_MIN = 2;

    private final Server server;
    private final ServerConnector connector;
    private final Endpoints endpoints;

    /**
     * Prepares a server; {@link #start} opens its port.
     *
     * @param address where it listens; port 0 takes any that is free
     * @param security of the cluster, such as {@code MutualTls.serverContext}; renewed certificates are its concern
     * @param access decides about callers with a certificate
     * @param intake takes the rows, as it does those that come another way
     * @param tokenFile whose content lets a caller do everything; empty: no tokens
     */
    public CircuitHttpServer(
            InetSocketAddress address,
            SSLContext security,
            ClientAccess access,
            Optional<Path> tokenFile,
            ServedCircuit circuit,
            ViewAnswers answers,
            TableIntake intake,
            HttpLimits limits) {
        QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS_MAX, PLATFORM_THREADS_MIN);
        threads.setName("circuit-http");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("circuit-http-", 0).factory()));
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.headerBytes());
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(security);
        tls.setIncludeProtocols("TLSv1.3");
        tls.setWantClientAuth(true);
        HttpConnectionFactory requests = new HttpConnectionFactory(http);
        connector = new ServerConnector(server, 1, 1, new SslConnectionFactory(tls, requests.getProtocol()), requests);
        endpoints = new Endpoints(circuit, answers, intake, limits);
        connector.setHost(address.getAddress().getHostAddress());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(limits.idleMillis());
        connector.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        server.addConnector(connector);
        server.setStopTimeout(0);
        server.setErrorHandler(new ErrorAnswer());
        server.setHandler(new HttpRequests(
                new Callers(access, tokenFile),
                new ClientBounds(limits.clientRequests(), limits.clientRequestsPerSecond(), System::nanoTime),
                endpoints.routes()));
    }

    /**
     * Opens the port.
     *
     * @throws IllegalStateException where it can not be opened; names it
     */
    public void start() {
        try {
            server.start();
        } catch (Exception failed) {
            close();
            throw new IllegalStateException(
                    "The circuit can not be served at " + connector.getHost() + ":" + connector.getPort() + ": "
                            + failed.getMessage(),
                    failed);
        }
    }

    /** The port that is open. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Ends all requests and closes the port. */
    @Override
    public void close() {
        try {
            endpoints.close();
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("The server of the circuit can not be stopped", failed);
        }
    }
}
