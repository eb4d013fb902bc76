/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ratchet.store.environment.Environment;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.StoreConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open port: {@code /livez} answers while the process runs, {@code /readyz} while the engine hands out read
 * versions, {@code /metrics} with counters. Says nothing about what is stored.
 */
final class HealthServer implements AutoCloseable {

    private static final long ENGINE_ANSWER_MILLIS = 2_000;
    private static final int BACKLOG = 32;
    private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);

    private final StoreConnection engine;
    private final Environment environment;
    private final HttpServer server;

    HealthServer(InetSocketAddress address, StoreConnection engine, StoreMetrics metrics, Environment environment)
            throws IOException {
        this.engine = engine;
        this.environment = environment;
        server = HttpServer.create(address, BACKLOG);
        server.createContext("/livez", exchange -> respond(exchange, 200, "ok\n"));
        server.createContext("/readyz", this::ready);
        server.createContext("/metrics", exchange -> respond(exchange, 200, metrics.text()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void ready(HttpExchange exchange) {
        AtomicBoolean answered = new AtomicBoolean();
        Environment.Cancellable timer = environment.schedule(ENGINE_ANSWER_MILLIS, () -> {
            if (answered.compareAndSet(false, true)) {
                respond(exchange, 503, "the engine did not answer within " + ENGINE_ANSWER_MILLIS + " ms\n");
            }
        });
        engine.readVersion(new ReadVersionRequest(false, true)).whenComplete((version, failure) -> {
            timer.cancel();
            if (answered.compareAndSet(false, true)) {
                respond(exchange, failure == null ? 200 : 503, failure == null ? "ok\n" : failure.getMessage() + "\n");
            }
        });
    }

    private static void respond(HttpExchange exchange, int status, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        try (exchange;
                OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(status, body.length);
            out.write(body);
        } catch (IOException gone) {
            LOG.debug("A health answer was not taken: path={} reason={}", exchange.getRequestURI(), gone.getMessage());
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
