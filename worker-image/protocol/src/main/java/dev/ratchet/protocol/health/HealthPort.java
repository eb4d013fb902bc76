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
 * The open port of a process: {@code /livez}, {@code /readyz} and {@code /metrics} over plain HTTP. Each request has a
 * thread of its own and a time limit, and connections are bounded, so that neither a slow scrape nor a connection that
 * never finishes its request holds up a probe. Says nothing about what is stored or computed.
 */
public final class HealthPort implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthPort.class);
    private static final int BACKLOG = 128;
    private static final int CONNECTIONS_MAX = 1024;
    private static final int REQUEST_SECONDS_MAX = 5;
    private static final int RESPONSE_SECONDS_MAX = 20;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    static {
        // The JDK's server takes its limits from system properties alone, when its first class is loaded.
        limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS_MAX);
        limit("sun.net.httpserver.maxRspTime", RESPONSE_SECONDS_MAX);
        limit("jdk.httpserver.maxConnections", CONNECTIONS_MAX);
    }

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
        // Before 24 a virtual thread that reads for the JDK's server keeps its carrier, which all others need as well.
        Thread.Builder threads = Runtime.version().feature() >= 24
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon();
        executor = Executors.newThreadPerTaskExecutor(threads.name("health-", 0).factory());
        server.setExecutor(executor);
        server.createContext("/livez", exchange -> health(exchange, CompletableFuture.completedFuture(notLive.get())));
        server.createContext("/readyz", exchange -> health(exchange, notReady.get()));
        server.createContext("/metrics", exchange -> respond(exchange, OK, metrics.get()));
        server.start();
    }

    private static void limit(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
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
