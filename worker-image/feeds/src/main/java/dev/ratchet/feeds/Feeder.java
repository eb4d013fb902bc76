/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ViewChange;
import dev.ratchet.dataflow.share.ReadingEvents;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import dev.ratchet.environment.Environment;
import dev.ratchet.feeds.Delivery.Outcome;
import dev.ratchet.feeds.Delivery.Piece;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.membership.coordinator.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers one feed for one term: follows its view from its position on and submits, step by step and piece by piece.
 * What it knows is only where the store says that the feed is; after any failure it begins there again. A thread of its
 * own, which sleeps while there is nothing to deliver.
 */
final class Feeder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Feeder.class);
    private static final int PIECE_FUTURES = 250;
    private static final int PIECE_BYTES = 256 << 10;
    private static final long FULL_MILLIS = 50;
    private static final long RETRY_MILLIS = 200;

    private final String name;
    private final FeedStore store;
    private final FencedStore fenced;
    private final Delivery delivery;
    private final Supplier<Optional<FedCircuit>> circuit;
    private final Environment environment;
    private final ReadingEvents events;
    private volatile boolean closed;
    private volatile boolean isOver;

    Feeder(
            String name,
            FeedStore store,
            FencedStore fenced,
            Delivery delivery,
            Supplier<Optional<FedCircuit>> circuit,
            Environment environment) {
        this.name = name;
        this.store = store;
        this.fenced = fenced;
        this.delivery = delivery;
        this.circuit = circuit;
        this.environment = environment;
        this.events = new ReadingEvents(environment);
    }

    void start() {
        environment.blockingExecutor().execute(this::run);
    }

    /** Whether it has ended by itself: the feed is over or has stopped, or the term is. */
    boolean isOver() {
        return isOver;
    }

    private void run() {
        try {
            while (!closed && !isOver) {
                try {
                    follow();
                } catch (RuntimeException e) {
                    trouble(e);
                }
            }
        } finally {
            isOver = true;
        }
    }

    private void trouble(RuntimeException e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof InvalidInputException refused) {
            LOG.error("The feed {} stops: {}", name, refused.getMessage());
            fenced.write(transaction -> delivery.stop(transaction, name, refused))
                    .join();
            isOver = true;
        } else if (cause instanceof Term.DeposedException) {
            LOG.info("The feed {} is delivered elsewhere: {}", name, cause.getMessage());
            isOver = true;
        } else if (!closed) {
            LOG.warn("The feed {} can not be delivered, trying again in {} ms", name, RETRY_MILLIS, e);
            events.pause(RETRY_MILLIS, () -> closed);
        }
    }

    /** Delivers from the position of the feed on, until that is not where the next piece begins. */
    private void follow() {
        Optional<FeedStore.Feed> found =
                fenced.read(transaction -> store.read(transaction, name)).join();
        if (found.isEmpty() || !found.get().isActive()) {
            isOver = true;
            return;
        }
        FeedStore.Feed feed = found.get();
        String view = feed.record().getView();
        Optional<FedCircuit> running = circuit.get();
        if (running.isEmpty() || running.get().program().get().isEmpty()) {
            events.pause(RETRY_MILLIS, () -> closed);
            return;
        }
        Relation columns = running.get()
                .view(view)
                .orElseThrow(() -> new InvalidInputException("The program has no view '" + view
                        + "' any more; end the feed, or give it a program that has one and begin it again"));
        events.clear();
        try (Reading reading =
                running.get().views().follow(view, feed.position().getStep(), events)) {
            long delivered = feed.position().getDelivered();
            boolean goesOn = true;
            while (goesOn && !closed) {
                reading.request(1);
                ReadingEvents.Event event = events.next(() -> closed);
                if (event instanceof ReadingEvents.Progress && delivered > 0) {
                    // Behind the part of a step that is delivered there is the rest of it.
                    continue;
                }
                goesOn = event != null
                        && take(event, columns, delivered, feed.record().getPendingMax());
                delivered = 0;
            }
        }
    }

    private boolean take(ReadingEvents.Event event, Relation columns, long delivered, int pendingMax) {
        return switch (event) {
            case ReadingEvents.Changes changes ->
                deliver(changes.step(), changed(columns, changes), delivered, pendingMax);
            case ReadingEvents.Progress progress -> deliver(new Piece(progress.step(), 0, List.of(), true));
            case ReadingEvents.Expired expired ->
                throw new InvalidInputException("The changes behind its position are not kept any more, only those"
                        + " behind step " + expired.oldestStep()
                        + "; end the feed, read the view, and begin another one behind the step of what was read");
            case ReadingEvents.Failed failed -> {
                LOG.info("The feed {} follows its view anew: {}", name, failed.reason());
                events.pause(RETRY_MILLIS, () -> closed);
                yield false;
            }
        };
    }

    private List<ViewChange> changed(Relation columns, ReadingEvents.Changes changes) {
        Batch rows = Objects.requireNonNull(changes.rows().get(columns.name()));
        RowObjects objects = new RowObjects(columns);
        List<ViewChange> all = new ArrayList<>();
        // By all columns whatever the key of the view: a key that is said later must not change what was delivered.
        OrderedRows.visit(rows, (row, weight) -> {
            var object = objects.read(row);
            for (int ordinal = 0; ordinal < Math.abs(weight); ordinal++) {
                all.add(new ViewChange(columns.name(), changes.step(), object, ordinal, Long.signum(weight)));
            }
        });
        return all;
    }

    private boolean deliver(long step, List<ViewChange> changes, long delivered, int pendingMax) {
        int from = Math.toIntExact(delivered);
        while (from < changes.size()) {
            List<byte[]> arguments = arguments(changes, from, Math.min(PIECE_FUTURES, pendingMax));
            int to = from + arguments.size();
            if (!deliver(new Piece(step, from, arguments, to == changes.size()))) {
                return false;
            }
            from = to;
        }
        return true;
    }

    private static List<byte[]> arguments(List<ViewChange> changes, int from, int most) {
        List<byte[]> arguments = new ArrayList<>();
        int bytes = 0;
        for (int index = from; index < changes.size() && arguments.size() < most && bytes < PIECE_BYTES; index++) {
            byte[] argument = CodeWriter.write("argument", changes.get(index), new LinkedHashSet<>());
            if (argument.length > ValueSizes.PIECE_BYTES) {
                throw new InvalidInputException("A row of step "
                        + changes.get(index).step() + " has "
                        + argument.length + " bytes, and the argument of a task of a feed at most "
                        + ValueSizes.PIECE_BYTES + "; end the feed and feed from a view without the large columns");
            }
            arguments.add(argument);
            bytes += argument.length;
        }
        return arguments;
    }

    /** False where the feed is elsewhere. */
    private boolean deliver(Piece piece) {
        while (!closed) {
            Outcome outcome = fenced.write(transaction -> delivery.record(transaction, name, piece))
                    .join();
            switch (outcome) {
                case DONE -> {
                    return true;
                }
                case FULL -> events.pause(FULL_MILLIS, () -> closed);
                case MOVED -> {
                    return false;
                }
                case OVER -> {
                    isOver = true;
                    return false;
                }
            }
        }
        return false;
    }

    @Override
    public void close() {
        closed = true;
        events.wake();
    }
}
