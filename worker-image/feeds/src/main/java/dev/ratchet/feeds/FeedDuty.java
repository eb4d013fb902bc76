/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.Database;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.membership.coordinator.Duty;
import dev.ratchet.membership.coordinator.Term;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers all feeds as long as this process is the coordinator, each by a {@link Feeder}. Every change of the store is
 * fenced by the term, so that a former coordinator that goes on delivers nothing. Safe for use by several threads.
 */
public final class FeedDuty implements Duty, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FeedDuty.class);
    private static final long PERIOD_MILLIS = 500;

    private final FeedStore store;
    private final Delivery delivery;
    private final Supplier<Optional<FedCircuit>> circuit;
    private final Environment environment;
    private @Nullable Deliveries current;

    /** @param circuit of this worker; empty while it has opened none */
    public FeedDuty(
            Database database, Keyspace keyspace, Supplier<Optional<FedCircuit>> circuit, Environment environment) {
        this.store = new FeedStore(database, keyspace);
        this.delivery = new Delivery(store, new TransactionalFutures(database, keyspace, environment));
        this.circuit = circuit;
        this.environment = environment;
    }

    @Override
    public void elected(Term term) {
        begin(FencedStore.of(term));
    }

    @Override
    public void deposed(Term term) {
        close();
    }

    synchronized void begin(FencedStore fenced) {
        close();
        Deliveries begun = new Deliveries(fenced);
        current = begun;
        begun.start();
    }

    @Override
    public synchronized void close() {
        Deliveries former = current;
        current = null;
        if (former != null) {
            former.close();
        }
    }

    /** The feeders of one term, by feed. */
    private final class Deliveries implements AutoCloseable {
        private final FencedStore fenced;
        private final Map<String, Feeder> feeders = new HashMap<>();
        private final Signal signal = new Signal();
        private volatile boolean closed;

        Deliveries(FencedStore fenced) {
            this.fenced = fenced;
        }

        void start() {
            environment.blockingExecutor().execute(this::run);
        }

        private void run() {
            while (!closed) {
                try {
                    look();
                } catch (RuntimeException e) {
                    if (e instanceof CompletionException && e.getCause() instanceof Term.DeposedException) {
                        closed = true;
                    } else if (!closed) {
                        LOG.warn("The feeds can not be read, trying again in {} ms", PERIOD_MILLIS, e);
                    }
                }
                if (!closed) {
                    environment.schedule(PERIOD_MILLIS, signal::raise);
                    signal.await();
                }
            }
            feeders.values().forEach(Feeder::close);
        }

        private void look() {
            feeders.values().removeIf(Feeder::isOver);
            if (circuit.get().isEmpty()) {
                return; // A cluster without a circuit leaves the store alone.
            }
            fenced.read(store::all).join().forEach((name, feed) -> {
                if (feed.isActive() && !feeders.containsKey(name)) {
                    Feeder feeder = new Feeder(name, store, fenced, delivery, circuit, environment);
                    feeders.put(name, feeder);
                    feeder.start();
                }
            });
        }

        @Override
        public void close() {
            closed = true;
            signal.raise();
        }
    }
}
