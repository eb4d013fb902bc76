/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.SerializableFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What becomes of each element of a partition, one step after the other: the work of one task.
 *
 * @param steps each gives any number of elements for one
 */
record Steps<A, T>(List<SerializableFunction<Object, Collection<?>>> steps)
        implements SerializableFunction<List<A>, List<T>> {

    Steps {
        steps = new ArrayList<>(steps);
    }

    @SuppressWarnings("unchecked") // The signatures of Dataset tie each step to the one before it.
    <R> Steps<A, R> then(SerializableFunction<? super T, ? extends Collection<? extends R>> step) {
        List<SerializableFunction<Object, Collection<?>>> more = new ArrayList<>(steps);
        more.add((SerializableFunction<Object, Collection<?>>) (SerializableFunction<?, ?>) step);
        return new Steps<>(more);
    }

    @Override
    @SuppressWarnings("unchecked") // As above.
    public List<T> apply(List<A> elements) throws Exception {
        List<Object> results = new ArrayList<>(elements.size());
        for (A element : elements) {
            run(element, 0, results);
        }
        return (List<T>) results;
    }

    private void run(Object element, int from, Collection<Object> results) throws Exception {
        if (from == steps.size()) {
            results.add(element);
            return;
        }
        for (Object next : steps.get(from).apply(element)) {
            run(next, from + 1, results);
        }
    }

    /** One for one. */
    record Mapping<A, R>(SerializableFunction<? super A, ? extends R> function)
            implements SerializableFunction<A, List<R>> {
        @Override
        public List<R> apply(A element) throws Exception {
            return List.of(function.apply(element));
        }
    }

    /** Itself or nothing. */
    record Filtering<A>(SerializableFunction<? super A, Boolean> condition)
            implements SerializableFunction<A, List<A>> {
        @Override
        public List<A> apply(A element) throws Exception {
            return condition.apply(element) ? List.of(element) : List.of();
        }
    }
}
