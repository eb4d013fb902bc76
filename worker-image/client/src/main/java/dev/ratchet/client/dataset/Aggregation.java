/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.SerializableBiFunction;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tasks that make one value of many elements: in each partition first, so that little moves. */
final class Aggregation {

    private Aggregation() {}

    /** A value for each key of a partition. */
    record OfPartition<K, T, A>(
            SerializableFunction<? super T, ? extends K> key,
            SerializableCallable<A> create,
            SerializableBiFunction<A, T, A> add)
            implements SerializableFunction<List<T>, List<Pair<K, A>>> {
        @Override
        public List<Pair<K, A>> apply(List<T> elements) throws Exception {
            Map<K, A> byKey = new LinkedHashMap<>();
            for (T element : elements) {
                K found = key.apply(element);
                @Nullable A before = byKey.get(found);
                byKey.put(found, add.apply(before == null ? create.call() : before, element));
            }
            return pairs(byKey);
        }
    }

    record KeyOf<K, A>() implements SerializableFunction<Pair<K, A>, K> {
        @Override
        public K apply(Pair<K, A> pair) {
            return pair.left();
        }
    }

    /** A value for each key of several partitions. */
    record Merging<K, A>(SerializableBiFunction<A, A, A> merge)
            implements SerializableFunction<List<List<Pair<K, A>>>, List<Pair<K, A>>> {
        @Override
        public List<Pair<K, A>> apply(List<List<Pair<K, A>>> parts) throws Exception {
            Map<K, A> byKey = new LinkedHashMap<>();
            for (List<Pair<K, A>> part : parts) {
                for (Pair<K, A> pair : part) {
                    @Nullable A before = byKey.get(pair.left());
                    byKey.put(pair.left(), before == null ? pair.right() : merge.apply(before, pair.right()));
                }
            }
            return pairs(byKey);
        }
    }

    /** All elements put together, be they of a partition or what came of several. */
    record Folding<T>(T identity, SerializableBiFunction<T, T, T> combine) implements SerializableFunction<List<T>, T> {
        @Override
        public T apply(List<T> elements) throws Exception {
            T result = identity;
            for (T element : elements) {
                result = combine.apply(result, element);
            }
            return result;
        }
    }

    private static <K, A> List<Pair<K, A>> pairs(Map<K, A> byKey) {
        List<Pair<K, A>> pairs = new ArrayList<>();
        byKey.forEach((key, value) -> pairs.add(new Pair<>(key, value)));
        return pairs;
    }
}
