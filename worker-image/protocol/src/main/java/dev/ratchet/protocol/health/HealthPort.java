/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open port of a process: {@code /livez}, {@code /readyz} and {@code /metrics} over plain HTTP, answered by two
 * threads, so that a slow scrape does not hold up a probe. Says nothing about what is stored or computed.
 */
public final class HealthPort implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthPort.class);
    private static final int BACKLOG = 32;
    private static final int THREADS = 2;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final ExecutorService executor;

    /**
     * Listens at once.
     *
     * @param notLive why the process should be ended, if it should
     * @param notReady why clients should go elsewhere, if they should; may be answered later, by any thread
     * @param metrics in Prometheus' text format
     */
    public HealthPort(
            InetSocketAddress address,
            Supplier<Optional<String>> notLive,
            Supplier<? extends CompletionStage<Optional<String>>> notReady,
            Supplier<String> metrics)
            throws IOException {
        server = HttpServer.create(address, BACKLOG);
        executor = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("health-", 0).factory());
        server.setExecutor(executor);
        server.createContext("/livez", exchange -> health(exchange, CompletableFuture.completedFuture(notLive.get())));
        server.createContext("/readyz", exchange -> health(exchange, notReady.get()));
        server.createContext("/metrics", exchange -> respond(exchange, OK, metrics.get()));
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void health(HttpExchange exchange, CompletionStage<Optional<String>> problem) {
        var unused = problem.thenAccept(
                found -> respond(exchange, found.isEmpty() ? OK : UNAVAILABLE, found.orElse("ok") + "\n"));
    }

    private static void respond(HttpExchange exchange, int status, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        try (exchange;
                OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(status, body.length);
            out.write(body);
        } catch (IOException gone) {
            LOG.debug("A health answer was not taken: path={} reason={}", exchange.getRequestURI(), gone.toString());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
