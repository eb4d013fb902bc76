/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.SerializableFunction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks that move elements between partitions: each old partition is split once, the parts become futures of their
 * own where the split was made, and each new partition collects its parts. So every element crosses the network at most
 * once, and each step is an ordinary future with its lineage.
 */
final class Shuffle {

    /** Keys looked at per partition to find where to cut a sorted dataset. */
    private static final int SAMPLES = 100;

    private Shuffle() {}

    /** Into which new partition an element goes; asked in the order of the elements, on one thread. */
    interface Router<T> extends Serializable {
        /**
         * The number of the new partition of an element.
         *
         * @param index its number in its old partition, from 0 on
         */
        int partition(T element, int index) throws Exception;
    }

    /** Deals the elements out, from another start in each partition so that small partitions do not pile up. */
    record Dealing<T>(int start, int count) implements Router<T> {
        @Override
        public int partition(T element, int index) {
            return (start + index) % count;
        }
    }

    record Hashing<T>(SerializableFunction<? super T, ?> key, int count) implements Router<T> {
        @Override
        public int partition(T element, int index) throws Exception {
            return Math.floorMod(StableHash.of(key.apply(element)), count);
        }
    }

    /** @param cuts the first key of each new partition but the first, as a future that the task is given */
    record Ranging<T, K extends Comparable<? super K>>(
            SerializableFunction<? super T, ? extends K> key, DurableFuture<List<K>> cuts) implements Router<T> {
        @Override
        public int partition(T element, int index) throws Exception {
            int found = Collections.binarySearch(cuts.get(), key.apply(element));
            return found >= 0 ? found + 1 : -found - 1;
        }
    }

    record Split<T>(Router<T> router, int count) implements SerializableFunction<List<T>, List<List<T>>> {
        @Override
        public List<List<T>> apply(List<T> elements) throws Exception {
            List<List<T>> parts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                parts.add(new ArrayList<>());
            }
            for (int i = 0; i < elements.size(); i++) {
                parts.get(router.partition(elements.get(i), i)).add(elements.get(i));
            }
            return parts;
        }
    }

    record Part<T>(int index) implements SerializableFunction<List<List<T>>, List<T>> {
        @Override
        public List<T> apply(List<List<T>> parts) {
            return parts.get(index);
        }
    }

    record Concatenation<T>() implements SerializableFunction<List<List<T>>, List<T>> {
        @Override
        public List<T> apply(List<List<T>> parts) {
            List<T> whole = new ArrayList<>();
            parts.forEach(whole::addAll);
            return whole;
        }
    }

    record Grouping<K, T>(SerializableFunction<? super T, ? extends K> key)
            implements SerializableFunction<List<List<T>>, List<Group<K, T>>> {
        @Override
        public List<Group<K, T>> apply(List<List<T>> parts) throws Exception {
            List<Group<K, T>> groups = new ArrayList<>();
            for (Map.Entry<K, List<T>> entry : Shuffle.<K, T>byKey(parts, key).entrySet()) {
                groups.add(new Group<>(entry.getKey(), entry.getValue()));
            }
            return groups;
        }
    }

    /** @param left how many of the parts, from the first on, are of the left dataset */
    record Joining<K, T, U>(
            SerializableFunction<? super T, ? extends K> key,
            SerializableFunction<? super U, ? extends K> otherKey,
            int left)
            implements SerializableFunction<List<List<?>>, List<Pair<T, U>>> {
        @Override
        @SuppressWarnings("unchecked") // The first parts are of the left dataset, the others of the right one.
        public List<Pair<T, U>> apply(List<List<?>> parts) throws Exception {
            List<List<T>> mine = (List<List<T>>) (List<?>) parts.subList(0, left);
            List<List<U>> others = (List<List<U>>) (List<?>) parts.subList(left, parts.size());
            Map<K, List<T>> byKey = Shuffle.<K, T>byKey(mine, key);
            List<Pair<T, U>> pairs = new ArrayList<>();
            for (List<U> part : others) {
                for (U right : part) {
                    for (T match : byKey.getOrDefault(otherKey.apply(right), List.of())) {
                        pairs.add(new Pair<>(match, right));
                    }
                }
            }
            return pairs;
        }
    }

    record Sampling<T, K>(SerializableFunction<? super T, ? extends K> key)
            implements SerializableFunction<List<T>, List<K>> {
        @Override
        public List<K> apply(List<T> elements) throws Exception {
            List<K> keys = new ArrayList<>();
            int count = Math.min(SAMPLES, elements.size());
            for (int i = 0; i < count; i++) {
                keys.add(key.apply(elements.get((int) ((long) elements.size() * i / count))));
            }
            return keys;
        }
    }

    record Cutting<K extends Comparable<? super K>>(int count) implements SerializableFunction<List<List<K>>, List<K>> {
        @Override
        public List<K> apply(List<List<K>> samples) {
            List<K> all = new ArrayList<>();
            samples.forEach(all::addAll);
            all.sort(Comparator.naturalOrder());
            List<K> cuts = new ArrayList<>();
            for (int i = 1; i < count && !all.isEmpty(); i++) {
                K cut = all.get((int) ((long) all.size() * i / count));
                if (cuts.isEmpty() || cuts.get(cuts.size() - 1).compareTo(cut) < 0) {
                    cuts.add(cut);
                }
            }
            return cuts;
        }
    }

    record Sorting<T, K extends Comparable<? super K>>(SerializableFunction<? super T, ? extends K> key)
            implements SerializableFunction<List<List<T>>, List<T>> {
        private record Keyed<K, T>(K key, T element) {}

        @Override
        public List<T> apply(List<List<T>> parts) throws Exception {
            List<Keyed<K, T>> keyed = new ArrayList<>();
            for (List<T> part : parts) {
                for (T element : part) {
                    keyed.add(new Keyed<>(key.apply(element), element));
                }
            }
            keyed.sort((one, other) -> one.key().compareTo(other.key()));
            List<T> sorted = new ArrayList<>(keyed.size());
            keyed.forEach(each -> sorted.add(each.element()));
            return sorted;
        }
    }

    private static <K, T> Map<K, List<T>> byKey(List<List<T>> parts, SerializableFunction<? super T, ? extends K> key)
            throws Exception {
        Map<K, List<T>> byKey = new LinkedHashMap<>();
        for (List<T> part : parts) {
            for (T element : part) {
                byKey.computeIfAbsent(key.apply(element), unused -> new ArrayList<>())
                        .add(element);
            }
        }
        return byKey;
    }
}
