/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.dataflow.process.DataflowLimits;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.SharesService;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.dataflow.sink.Sinks;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.feeds.FedCircuit;
import dev.ratchet.feeds.FeedDuty;
import dev.ratchet.feeds.Feeds;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.coordinator.Duty;
import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.BindableService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * The circuit of a cluster in a simulated worker, with what brings rows to it and takes its changes away: the classes
 * of production, each of whose threads is virtual.
 */
public final class DataflowWork implements Work {

    private final Dataflow dataflow;
    private final Sinks sinks;
    private final SharesService shares;
    private final Feeds feeds;
    private final FeedDuty feedDuty;

    /** @param disk where its state lies, which no other process has used or what a dead one has left */
    public DataflowWork(SimulatedWorker.Parts parts, ExchangeTransport exchange, StateDisk disk) {
        Environment environment = new BlockingEnvironment(parts.process());
        this.dataflow = new Dataflow(
                parts.database(),
                parts.keyspace(),
                parts.seat(),
                parts.liveness(),
                parts.address(),
                exchange,
                disk,
                JarSource.NONE,
                environment,
                limits(parts),
                Programs.Planner.SQL);
        this.shares = new SharesService(dataflow.shares(), environment.executor(), () -> parts.keyspace()
                .formats()
                .get());
        DataflowShares merged =
                new DataflowShares(dataflow, other -> parts.peers().channel(other.seat(), other.address()));
        ViewReader views = new ViewReader(merged, environment, ViewReader.Limits.DEFAULT);
        this.sinks = new Sinks(parts.database(), parts.keyspace(), parts.seat(), dataflow::program, views, environment);
        dataflow.accompany(sinks);
        Optional<FedCircuit> fed = Optional.of(new FedCircuit(dataflow::program, views));
        this.feeds = new Feeds(parts.database(), parts.keyspace(), () -> fed, environment);
        this.feedDuty = new FeedDuty(parts.database(), parts.keyspace(), () -> fed, environment);
        dataflow.prepare();
    }

    /** Results do not depend on how many rows a step has that a thread takes alone, so both ways are seen. */
    private static DataflowLimits limits(SimulatedWorker.Parts parts) {
        DataflowLimits usual = DataflowLimits.DEFAULT;
        return parts.process().random().nextBoolean() ? usual : new DataflowLimits(usual.input(), usual.steps(), 0);
    }

    /** Tells what the configuration of the cluster says of its circuit, at the beginning and after each change. */
    public void configure(Optional<DataflowSettings> settings) {
        dataflow.configure(settings);
        sinks.configure(settings);
    }

    /** The feeds of its views. */
    public Feeds feeds() {
        return feeds;
    }

    @Override
    public List<BindableService> services() {
        return List.of(shares);
    }

    @Override
    public List<Duty> duties() {
        return List.of(feedDuty);
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
        sinks.elected(term);
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
    public record BlockingEnvironment(VirtualProcess real) implements ForwardingEnvironment {
        @Override
        public Executor blockingExecutor() {
            return task -> threads().newThread(task).start();
        }

        @Override
        public ThreadFactory threads() {
            return real.threads();
        }
    }
}
