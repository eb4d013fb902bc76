/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.ShareListener;
import dev.ratchet.environment.Environment;
import dev.ratchet.feeds.FedCircuit;
import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit of this worker, if there is one: opened as soon as the configuration names one, beside the taking of the
 * seat, taking part from then on when the seat is taken, and told of each change. A worker whose cluster has no circuit
 * loads and opens nothing of it. Safe for use by several threads.
 */
final class CircuitHost implements ShareFeed, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CircuitHost.class);
    private static final long PERIOD_MILLIS = 2_000;

    private final Supplier<Optional<DataflowSettings>> source;
    private final Opener opener;
    private final Consumer<List<Metric>> publisher;
    private final Environment environment;
    private Optional<DataflowSettings> inForce = Optional.empty();
    private String lastMistake = "";
    private @Nullable WorkerCircuit opened;

    /** The opened one, once it takes part. */
    private volatile @Nullable WorkerCircuit started;

    /** As the configuration says; not known before it was read. */
    private volatile boolean hasNone;

    private boolean hasSeat;
    private long term;
    private boolean closed;

    /** Opens the circuit's ports; nothing of it has run yet. */
    interface Opener {
        WorkerCircuit open() throws IOException;
    }

    /**
     * @param source what the configuration says now; throws IllegalArgumentException where it can not be used
     * @param publisher takes what the circuit counts, as it appears
     */
    CircuitHost(
            Supplier<Optional<DataflowSettings>> source,
            Opener opener,
            Consumer<List<Metric>> publisher,
            Environment environment) {
        this.source = source;
        this.opener = opener;
        this.publisher = publisher;
        this.environment = environment;
    }

    /** Begins to look at the configuration. */
    void open() {
        environment.blockingExecutor().execute(this::look);
    }

    /** The seat has been taken. */
    synchronized void start() {
        hasSeat = true;
        WorkerCircuit circuit = opened;
        if (circuit != null) {
            takePart(circuit);
        }
    }

    private void takePart(WorkerCircuit circuit) {
        circuit.start();
        circuit.elected(term);
        started = circuit;
    }

    private void look() {
        try {
            Optional<DataflowSettings> found = source.get();
            hasNone = found.isEmpty();
            if (!found.equals(inForce)) {
                tell(found);
                inForce = found;
            }
            WorkerCircuit circuit = started;
            if (circuit != null) {
                publisher.accept(circuit.furtherMetrics());
            }
            lastMistake = "";
        } catch (IOException | RuntimeException unusable) {
            String mistake = String.valueOf(unusable.getMessage());
            if (!mistake.equals(lastMistake)) {
                lastMistake = mistake;
                LOG.error("The circuit can not be as it is configured, what was stays in force: {}", mistake, unusable);
            }
        }
        environment.schedule(PERIOD_MILLIS, () -> environment.blockingExecutor().execute(this::lookAgain));
    }

    private void lookAgain() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        look();
    }

    private void tell(Optional<DataflowSettings> found) throws IOException {
        WorkerCircuit circuit = opened();
        if (circuit != null) {
            circuit.configure(found);
            return;
        }
        circuit = opener.open();
        publisher.accept(circuit.metrics());
        circuit.configure(found);
        synchronized (this) {
            if (!closed) {
                opened = circuit;
                if (hasSeat) {
                    takePart(circuit);
                } else {
                    circuit.prepare();
                }
                return;
            }
        }
        circuit.close();
    }

    private synchronized @Nullable WorkerCircuit opened() {
        return opened;
    }

    /** The term that this process holds, 0 for none. */
    synchronized void elected(long held) {
        term = held;
        WorkerCircuit circuit = started;
        if (circuit != null) {
            circuit.elected(held);
        }
    }

    /**
     * The circuit as clients ask it.
     *
     * @throws io.grpc.StatusRuntimeException where there is none, or none yet
     */
    WorkerCircuit asked() {
        WorkerCircuit circuit = started;
        if (circuit != null) {
            return circuit;
        }
        throw hasNone
                ? Status.FAILED_PRECONDITION
                        .withDescription("The cluster has no circuit; give it a program in spec.circuit")
                        .asRuntimeException()
                : Status.UNAVAILABLE
                        .withDescription("This worker has not opened its circuit yet; try again")
                        .asRuntimeException();
    }

    /** What follows the views; nothing while no circuit takes part. */
    Optional<FedCircuit> fed() {
        return Optional.ofNullable(started).map(WorkerCircuit::fed);
    }

    /** What the operator is told. */
    CircuitReport report() {
        WorkerCircuit circuit = started;
        return circuit == null ? CircuitReport.getDefaultInstance() : circuit.report();
    }

    @Override
    public Subscription follow(String view, long life, long afterStep, ShareListener listener) {
        WorkerCircuit circuit = started;
        if (circuit == null) {
            throw new IllegalArgumentException("This worker has not opened a circuit");
        }
        return circuit.shares().follow(view, life, afterStep, listener);
    }

    @Override
    public void close() {
        WorkerCircuit circuit;
        synchronized (this) {
            closed = true;
            circuit = opened;
            opened = null;
            started = null;
        }
        if (circuit != null) {
            circuit.close();
        }
    }
}
