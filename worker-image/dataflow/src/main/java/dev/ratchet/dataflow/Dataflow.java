/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import com.apple.foundationdb.Database;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Seat;
import dev.ratchet.store.environment.Environment;
import dev.ratchet.store.keyspace.Keyspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The circuit of a cluster as one worker has it: takes part in its steps, takes input, serves its share of the views,
 * and, while this process holds the term, decides about steps. Safe for use by several threads; nothing blocks but
 * {@link #close}.
 */
public final class Dataflow implements AutoCloseable {

    /**
     * Makes it; nothing happens before {@link #start}.
     *
     * @param seat of this process
     * @param liveness tells which of the others are dead
     * @param address {@code host:port} where this worker serves gRPC, for whoever merges the shares of a view
     * @param exchange joins this process with the others of a run
     * @param stateDirectory where the state of circuits is kept, each in a directory of its own
     */
    public Dataflow(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Liveness liveness,
            String address,
            ExchangeTransport exchange,
            Path stateDirectory,
            Environment environment) {
        throw new UnsupportedOperationException("sketch");
    }

    /** Begins to take part; the seat has been taken. */
    public void start() {}

    /** Tells the term that this process holds, 0 for none: for {@code Membership.onTerm}. */
    public void elected(long term) {}

    /** Tells what the configuration of the cluster says of its circuit, at the beginning and after each change. */
    public void configure(Optional<DataflowSettings> settings) {}

    /** Where rows go in. */
    public InputLog inputs() {
        throw new UnsupportedOperationException("sketch");
    }

    /** What this process has of the views. */
    public ShareFeed shares() {
        throw new UnsupportedOperationException("sketch");
    }

    /** What the circuit does, as far as this process knows; whole where it holds the term. */
    public DataflowStatus status() {
        throw new UnsupportedOperationException("sketch");
    }

    /** The processes whose shares make up a view, in the order of their numbers; none while there is no run. */
    public List<Participant> participants() {
        return List.of();
    }

    /** The program that runs or is to run, compiled: tables and views with their columns. */
    public Optional<SqlProgram> program() {
        return Optional.empty();
    }

    /**
     * Which input the outputs up to a step stand for: the position up to which records of the log are in it, as
     * {@link Received#position}; nothing where the step was not taken yet, or is no longer known.
     */
    public CompletableFuture<Optional<String>> inputOf(long step) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Leaves the run and waits until nothing of it works any more. */
    @Override
    public void close() {}
}
