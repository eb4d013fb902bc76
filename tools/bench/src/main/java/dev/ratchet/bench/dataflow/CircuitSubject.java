/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.bench.Directories;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.ServedStore;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Workers with a circuit, a durable store, and this process as the producer and the consumer. */
final class CircuitSubject implements AutoCloseable {

    private static final long OBJECT_BYTES = 64L << 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Report report;
    private final boolean quick;
    private final Path directory;
    private final Cluster cluster;
    private final HttpClient http;
    private final JsonMapper json = JsonMapper.builder().build();
    private long sequence;

    /**
     * Starts the processes and waits until the circuit runs.
     *
     * @param heapMegabytes of each worker
     */
    CircuitSubject(
            Path parent, int workers, int heapMegabytes, Cluster.CircuitProgram circuit, boolean quick, Report report)
            throws IOException, InterruptedException {
        this.report = report;
        this.quick = quick;
        directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        cluster = new Cluster(
                directory,
                new Cluster.Settings(
                        workers,
                        1,
                        options(heapMegabytes),
                        OBJECT_BYTES,
                        new ServedStore.Settings(options(1_024), true, 0, 0),
                        false));
        http = cluster.circuitClient();
        cluster.configureCircuit(circuit);
        cluster.startWorkers();
        awaitRunning();
    }

    private static List<String> options(int heapMegabytes) {
        List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-Xm") && !option.contains("AlwaysPreTouch"))
                .filter(option -> option.startsWith("-X"))
                .toList();
        List<String> options = new ArrayList<>(own);
        options.add("-Xmx" + heapMegabytes + "m");
        return options;
    }

    Report report() {
        return report;
    }

    boolean quick() {
        return quick;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Waits until every worker says that the circuit runs. */
    void awaitRunning() throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int worker = 0; worker < cluster.size(); worker++) {
            String state = state(worker);
            while (!state.equals("RUNNING")) {
                if (System.nanoTime() > end) {
                    throw new IOException(
                            "Worker " + worker + " is " + state + " after " + LIMIT + ": see its log in " + directory);
                }
                Thread.sleep(20);
                state = state(worker);
            }
        }
    }

    private String state(int worker) throws InterruptedException {
        try {
            return status(worker).path("state").asText();
        } catch (IOException notServed) {
            return notServed.toString();
        }
    }

    /** What a worker says of the circuit. */
    JsonNode status(int worker) throws IOException, InterruptedException {
        return json.readTree(http.send(at(worker, "/v1/status").build(), BodyHandlers.ofString())
                .body());
    }

    private HttpRequest.Builder at(int worker, String path) {
        return HttpRequest.newBuilder(cluster.circuit(worker, path));
    }

    /** Adds lines of JSON to a table, as one request. Completes when they are durable; fails if they are refused. */
    CompletableFuture<Void> push(int worker, String table, byte[] lines) {
        return post(worker, table + "?producer=bench&sequence=" + sequence++, lines);
    }

    /** As {@link #push}, by nobody: several may be under way. */
    CompletableFuture<Void> pushUnnumbered(int worker, String table, byte[] lines) {
        return post(worker, table, lines);
    }

    private CompletableFuture<Void> post(int worker, String tableAndQuery, byte[] lines) {
        return send(at(worker, "/v1/tables/" + tableAndQuery)
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofByteArray(lines))
                .build());
    }

    private CompletableFuture<Void> send(HttpRequest request) {
        return http.sendAsync(request, BodyHandlers.ofString()).thenAccept(response -> {
            if (response.statusCode() != 200) {
                throw new IllegalStateException(
                        request.uri() + " was answered with " + response.statusCode() + ": " + response.body());
            }
        });
    }

    /** Follows a view from its snapshot on. */
    ViewChangeReader follow(int worker, String view) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                http.send(at(worker, "/v1/views/" + view + "?follow=true").build(), BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("The view " + view + " can not be followed: " + response.statusCode());
        }
        return new ViewChangeReader(response.body());
    }

    /** Bytes of the files that the workers keep. */
    long fileBytes() throws IOException {
        long bytes = 0;
        for (int worker = 0; worker < cluster.size(); worker++) {
            try (Stream<Path> files =
                    Files.walk(directory.resolve(cluster.seat(worker)).resolve("data"))) {
                bytes += files.mapToLong(file -> file.toFile().length()).sum();
            }
        }
        return bytes;
    }

    /** Processor time of the store and the workers. */
    long cpuNanos() {
        return cluster.cpuNanos();
    }

    @Override
    public void close() throws IOException {
        http.shutdownNow();
        cluster.close();
        Directories.delete(directory);
    }
}
