/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.share.CircuitShares;
import dev.ratchet.dataflow.share.MemoryShareFeed;
import dev.ratchet.dataflow.share.TestRows;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.environment.SystemEnvironment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A circuit of two processes whose steps a test takes; its log keeps what it is given. */
final class TestCircuit implements ServedCircuit, InputLog, CircuitShares, AutoCloseable {

    static final SqlProgram PROGRAM = SqlProgram.compile("""
            CREATE TABLE orders (name VARCHAR NOT NULL, n BIGINT NOT NULL);
            CREATE TABLE customers (name VARCHAR NOT NULL);
            CREATE VIEW totals WITH ('key' = 'name') AS SELECT name, n FROM orders;
            """);

    final MemoryShareFeed first = new MemoryShareFeed("totals", TestRows.SCHEMA);
    final MemoryShareFeed second = new MemoryShareFeed("totals", TestRows.SCHEMA);
    final List<InputRequest> appended = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final ViewReader views = new ViewReader(this, environment, ViewReader.Limits.DEFAULT);

    /** What the log does instead of appending. */
    @Nullable
    Supplier<RuntimeException> refuses;

    /** What it throws at once, as one whose store is closed. */
    @Nullable
    Supplier<RuntimeException> breaks;

    boolean isRunning = true;

    @Override
    public Optional<CompiledProgram> program() {
        return isRunning ? Optional.of(PROGRAM) : Optional.empty();
    }

    @Override
    public InputLog inputs() {
        return this;
    }

    @Override
    public ViewReader views() {
        return views;
    }

    @Override
    public DataflowStatus status() {
        return new DataflowStatus(
                isRunning ? DataflowState.RUNNING : DataflowState.WAITING_FOR_WORKER,
                isRunning ? "" : "worker-1 is not up",
                5,
                2,
                4,
                "digest",
                Map.of("orders", 7L),
                0,
                Map.of("orders", 11L),
                Map.of("totals", 3L),
                Map.of("totals", 2L),
                0);
    }

    @Override
    public Optional<CircuitPicture> picture() {
        return Optional.empty();
    }

    @Override
    public CompletableFuture<Optional<String>> inputOf(long step) {
        return CompletableFuture.completedFuture(Optional.of("position-" + step));
    }

    @Override
    public CompletableFuture<Long> lastStep() {
        return CompletableFuture.completedFuture(5L);
    }

    @Override
    public synchronized CompletableFuture<Received> append(InputRequest request) {
        if (breaks != null) {
            throw breaks.get();
        }
        if (refuses != null) {
            return CompletableFuture.failedFuture(refuses.get());
        }
        long last = sequences.getOrDefault(request.producer(), -1L);
        boolean repeated = !request.producer().isEmpty() && request.sequence() <= last;
        if (!repeated) {
            sequences.put(request.producer(), request.sequence());
            appended.add(request);
        }
        return CompletableFuture.completedFuture(
                new Received(Math.max(last, request.sequence()), "p" + appended.size(), repeated));
    }

    @Override
    public synchronized CompletableFuture<Received> received(String producer) {
        return CompletableFuture.completedFuture(new Received(sequences.getOrDefault(producer, -1L), "", false));
    }

    @Override
    public List<ShareFeed> feeds() {
        return List.of(first, second);
    }

    @Override
    public long life() {
        return 1;
    }

    @Override
    public ShareFeed.Subscription onChange(Runnable changed) {
        return () -> {};
    }

    @Override
    public RowSchema schema(String view) {
        return TestRows.SCHEMA;
    }

    @Override
    public void close() {
        environment.close();
    }
}
