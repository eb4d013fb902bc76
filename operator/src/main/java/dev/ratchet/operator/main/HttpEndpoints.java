/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Owns the open port: {@code /livez}, {@code /readyz} and {@code /metrics}, answered by two threads. */
final class HttpEndpoints implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final ExecutorService executor;

    HttpEndpoints(InetSocketAddress address, BooleanSupplier live, BooleanSupplier ready, Supplier<String> metrics)
            throws IOException {
        server = HttpServer.create(address, 0);
        executor = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("http-", 0).factory());
        server.setExecutor(executor);
        server.createContext("/livez", exchange -> health(exchange, live));
        server.createContext("/readyz", exchange -> health(exchange, ready));
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, OK, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private static void health(HttpExchange exchange, BooleanSupplier good) throws IOException {
        boolean isGood = good.getAsBoolean();
        answer(exchange, isGood ? OK : UNAVAILABLE, "text/plain; charset=utf-8", isGood ? "ok\n" : "not ready\n");
    }

    private static void answer(HttpExchange exchange, int code, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
