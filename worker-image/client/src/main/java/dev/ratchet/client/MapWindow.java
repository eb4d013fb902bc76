/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Futures of a stream of arguments, in their order: at most so many are submitted beyond the last one that was taken,
 * so that neither arguments nor futures pile up. Used by one thread.
 */
final class MapWindow<A, T> implements Iterator<DurableFuture<T>> {

    static final int MAX = 100_000;

    private final Ratchet ratchet;
    private final SubmitOptions options;
    private final Iterator<? extends A> arguments;
    private final int window;
    private final SerializableFunction<A, T> function;
    private final Queue<DurableFuture<T>> submitted = new ArrayDeque<>();

    private MapWindow(
            Ratchet ratchet,
            SubmitOptions options,
            Iterator<? extends A> arguments,
            int window,
            SerializableFunction<A, T> function) {
        this.ratchet = ratchet;
        this.options = options;
        this.arguments = arguments;
        this.window = window;
        this.function = function;
    }

    static <A, T> Stream<DurableFuture<T>> stream(
            Ratchet ratchet,
            SubmitOptions options,
            Stream<? extends A> arguments,
            int window,
            SerializableFunction<A, T> function) {
        if (window < 1 || window > MAX) {
            throw new InvalidInputException("A window is of 1 to " + MAX + " futures, and not of " + window + ".");
        }
        Iterator<DurableFuture<T>> futures =
                new MapWindow<A, T>(ratchet, options, arguments.iterator(), window, function);
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(futures, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(arguments::close);
    }

    @Override
    public boolean hasNext() {
        fill();
        return !submitted.isEmpty();
    }

    @Override
    public DurableFuture<T> next() {
        if (!hasNext()) {
            throw new NoSuchElementException("All futures have been seen");
        }
        try {
            return ratchet.awaitAny(List.of(submitted.remove()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RatchetException("Interrupted while waiting for futures", interrupted);
        }
    }

    /** Some at a time, which travel together: not before half of the window is empty. */
    private void fill() {
        if (submitted.size() > window / 2) {
            return;
        }
        List<A> batch = new ArrayList<>();
        while (submitted.size() + batch.size() < window && arguments.hasNext()) {
            batch.add(arguments.next());
        }
        if (!batch.isEmpty()) {
            submitted.addAll(ratchet.map(options, batch, function));
        }
    }
}
