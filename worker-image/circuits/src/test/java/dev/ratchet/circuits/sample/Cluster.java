/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitPeers;
import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.circuits.circuit.StepRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A circuit of several processes in one JVM: they step together, each in a thread of its own. */
public final class Cluster implements AutoCloseable {

    private final MemoryPeers peers;
    private final List<Circuit> circuits;
    private final ExecutorService threads;

    /** @param open makes the circuit of a process */
    public Cluster(int processes, Function<CircuitPeers, Circuit> open) {
        this.peers = new MemoryPeers(processes);
        this.circuits = peers.all().stream().map(open).toList();
        this.threads = Executors.newFixedThreadPool(processes);
    }

    public List<Circuit> circuits() {
        return circuits;
    }

    /** Does the same in each process, such as adding rows. */
    public void each(Consumer<Circuit> work) {
        circuits.forEach(work);
    }

    /**
     * Runs a step in all processes.
     *
     * @throws RuntimeException what a process has thrown; all have thrown one that says the same, or that the others
     *     are lost
     */
    public void step() {
        List<CompletableFuture<@Nullable RuntimeException>> steps = new ArrayList<>();
        for (Circuit circuit : circuits) {
            steps.add(CompletableFuture.supplyAsync(() -> failureOf(circuit), threads));
        }
        RuntimeException first = null;
        List<String> told = new ArrayList<>();
        for (CompletableFuture<@Nullable RuntimeException> step : steps) {
            RuntimeException failure = step.join();
            if (!(failure instanceof PeersLostException)) {
                told.add(String.valueOf(failure));
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            assertThat(told.stream().distinct()).as("what processes throw").hasSize(1);
            throw first;
        }
    }

    private @Nullable RuntimeException failureOf(Circuit circuit) {
        try {
            circuit.step();
            return null;
        } catch (StepRejectedException e) {
            return e;
        } catch (RuntimeException | Error e) {
            peers.end("another process failed: " + e);
            return e instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        }
    }

    /** What the last step changed in a view: the sum of all shares. */
    public Batch output(String view) {
        return BatchMerge.merge(
                circuits.get(0).output(view).schema(),
                circuits.stream().map(circuit -> circuit.output(view)).toList());
    }

    @Override
    public void close() {
        peers.end("the test is over");
        threads.shutdown();
        circuits.forEach(Circuit::close);
    }
}
