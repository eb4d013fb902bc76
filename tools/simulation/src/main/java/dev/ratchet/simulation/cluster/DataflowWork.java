/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Seat;
import dev.ratchet.simulation.world.VirtualProcess;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** The circuit of a cluster in a simulated worker: the classes of production, each of whose threads is virtual. */
public final class DataflowWork implements Work {

    private final Dataflow dataflow;

    /** @param disk where its state lies, which no other process has used or what a dead one has left */
    public DataflowWork(SimulatedWorker.Parts parts, ExchangeTransport exchange, StateDisk disk) {
        this.dataflow = new Dataflow(
                parts.database(),
                parts.keyspace(),
                parts.seat(),
                parts.liveness(),
                parts.process().name(),
                exchange,
                disk,
                JarSource.NONE,
                new BlockingEnvironment(parts.process()));
        dataflow.prepare();
    }

    public Dataflow dataflow() {
        return dataflow;
    }

    @Override
    public void joined() {
        dataflow.start();
    }

    @Override
    public void elected(long term) {
        dataflow.elected(term);
    }

    @Override
    public Inventory now() {
        return Inventory.NONE;
    }

    @Override
    public CompletableFuture<Inventory> recorded(ReadTransaction transaction, String seat) {
        return CompletableFuture.completedFuture(Inventory.NONE);
    }

    @Override
    public CompletableFuture<Void> settle(Seat seat) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> canary() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> drain(long timeoutMillis) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> park(long timeoutMillis) {
        return drain(timeoutMillis);
    }

    @Override
    public void resume() {}

    @Override
    public void abandon() {}

    /**
     * A process whose blocking tasks have virtual threads of their own; those of futures share the one of its events.
     */
    public record BlockingEnvironment(VirtualProcess process) implements Environment {

        @Override
        public long nanoTime() {
            return process.nanoTime();
        }

        @Override
        public long wallClockMillis() {
            return process.wallClockMillis();
        }

        @Override
        public Executor executor() {
            return process.executor();
        }

        @Override
        public Executor blockingExecutor() {
            ThreadFactory threads = process.threads();
            return task -> threads.newThread(task).start();
        }

        @Override
        public ThreadFactory threads() {
            return process.threads();
        }

        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            return process.schedule(delayMillis, task);
        }

        @Override
        public RandomGenerator random() {
            return process.random();
        }
    }
}
