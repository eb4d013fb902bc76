/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open port. {@code /livez} fails once the seat is lost or its lease is over, so that the kubelet ends a process
 * that can not end itself, cut off or not; {@code /readyz} succeeds while clients may be sent here; {@code /metrics}
 * gives counters. Nothing here says what is computed.
 */
final class HealthServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
    private static final int BACKLOG = 32;

    private final HttpServer server;

    /**
     * Listens at once.
     *
     * @param notLive why the process should be ended, if it should
     * @param notReady why clients should go elsewhere, if they should
     * @param metrics in Prometheus' text format
     */
    HealthServer(
            InetSocketAddress address,
            Supplier<Optional<String>> notLive,
            Supplier<Optional<String>> notReady,
            Supplier<String> metrics)
            throws IOException {
        server = HttpServer.create(address, BACKLOG);
        server.createContext("/livez", exchange -> answer(exchange, notLive.get()));
        server.createContext("/readyz", exchange -> answer(exchange, notReady.get()));
        server.createContext("/metrics", exchange -> respond(exchange, 200, metrics.get()));
        server.start();
    }

    private static void answer(HttpExchange exchange, Optional<String> problem) {
        respond(exchange, problem.isEmpty() ? 200 : 503, problem.orElse("ok") + "\n");
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
    }
}
