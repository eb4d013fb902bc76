/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableBiFunction;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A dataset as futures of its partitions and the steps that are still to be taken on each.
 *
 * @param <A> type of the elements before the steps
 */
final class Partitions<A, T> implements Dataset<T> {

    private final Ratchet ratchet;
    private final SubmitOptions options;
    private final List<DurableFuture<List<A>>> sources;
    private final Steps<A, T> steps;
    private List<DurableFuture<List<T>>> results = List.of();

    Partitions(Ratchet ratchet, SubmitOptions options, List<DurableFuture<List<A>>> sources, Steps<A, T> steps) {
        this.ratchet = ratchet;
        this.options = options;
        this.sources = sources;
        this.steps = steps;
    }

    static void requireCount(int partitions) {
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw new InvalidInputException(
                    "A dataset has 1 to " + PARTITIONS_MAX + " partitions, and not " + partitions + ".");
        }
    }

    @Override
    public int partitions() {
        return sources.size();
    }

    @Override
    public <R> Dataset<R> map(SerializableFunction<? super T, ? extends R> function) {
        return flatMap(new Steps.Mapping<T, R>(function));
    }

    @Override
    public Dataset<T> filter(SerializableFunction<? super T, Boolean> condition) {
        return flatMap(new Steps.Filtering<T>(condition));
    }

    @Override
    public <R> Dataset<R> flatMap(SerializableFunction<? super T, ? extends Collection<? extends R>> function) {
        return new Partitions<>(ratchet, options, sources, steps.then(function));
    }

    @Override
    public Dataset<T> repartition(int count) {
        requireCount(count);
        List<DurableFuture<List<T>>> before = futures();
        List<List<DurableFuture<List<T>>>> parts = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            int start = (int) ((long) count * i / before.size());
            parts.add(split(before.get(i), new Shuffle.Dealing<>(start, count), count));
        }
        return made(collected(parts, count, new Shuffle.Concatenation<T>()));
    }

    @Override
    public <K> Dataset<Group<K, T>> groupBy(SerializableFunction<? super T, ? extends K> key) {
        int count = partitions();
        return made(collected(hashed(key, count), count, new Shuffle.Grouping<K, T>(key)));
    }

    @Override
    public <K, U> Dataset<Pair<T, U>> join(
            Dataset<U> other,
            SerializableFunction<? super T, ? extends K> key,
            SerializableFunction<? super U, ? extends K> otherKey) {
        int count = Math.max(partitions(), other.partitions());
        List<List<DurableFuture<List<T>>>> mine = hashed(key, count);
        List<List<DurableFuture<List<U>>>> others =
                new Partitions<>(ratchet, options, other.futures(), new Steps<U, U>(List.of())).hashed(otherKey, count);
        Shuffle.Joining<K, T, U> joining = new Shuffle.Joining<>(key, otherKey, mine.size());
        List<DurableFuture<List<Pair<T, U>>>> joined = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<DurableFuture<? extends List<?>>> both = new ArrayList<>();
            int index = i;
            mine.forEach(part -> both.add(part.get(index)));
            others.forEach(part -> both.add(part.get(index)));
            joined.add(ratchet.<List<?>, List<Pair<T, U>>>reduce(options, both, joining));
        }
        return made(joined);
    }

    @Override
    public <K extends Comparable<? super K>> Dataset<T> sortBy(SerializableFunction<? super T, ? extends K> key) {
        int count = partitions();
        List<DurableFuture<List<K>>> samples = new ArrayList<>();
        futures().forEach(part -> samples.add(ratchet.then(options, part, new Shuffle.Sampling<T, K>(key))));
        DurableFuture<List<K>> cuts = ratchet.reduce(options, samples, new Shuffle.Cutting<K>(count));
        List<List<DurableFuture<List<T>>>> parts = new ArrayList<>();
        futures().forEach(part -> parts.add(split(part, new Shuffle.Ranging<T, K>(key, cuts), count)));
        return made(collected(parts, count, new Shuffle.Sorting<T, K>(key)));
    }

    @Override
    public <K, V> Dataset<Pair<K, V>> aggregateByKey(
            SerializableFunction<? super T, ? extends K> key,
            SerializableCallable<V> create,
            SerializableBiFunction<V, T, V> add,
            SerializableBiFunction<V, V, V> merge) {
        List<DurableFuture<List<Pair<K, V>>>> partial = new ArrayList<>();
        futures()
                .forEach(part -> partial.add(
                        ratchet.then(near(part), part, new Aggregation.OfPartition<K, T, V>(key, create, add))));
        Partitions<Pair<K, V>, Pair<K, V>> pairs = new Partitions<>(ratchet, options, partial, new Steps<>(List.of()));
        int count = partitions();
        return made(pairs.collected(
                pairs.hashed(new Aggregation.KeyOf<K, V>(), count), count, new Aggregation.Merging<K, V>(merge)));
    }

    @Override
    public DurableFuture<T> reduce(T identity, SerializableBiFunction<T, T, T> combine) {
        Aggregation.Folding<T> folding = new Aggregation.Folding<>(identity, combine);
        return ratchet.reduceTree(
                options, futures().stream().map(part -> ratchet.then(options, part, folding)), folding);
    }

    @Override
    public DurableFuture<List<String>> write(String folder) {
        return TextFiles.write(ratchet, options, folder, futures());
    }

    @Override
    @SuppressWarnings("unchecked") // Without steps the elements are those of the sources.
    public synchronized List<DurableFuture<List<T>>> futures() {
        if (steps.steps().isEmpty()) {
            return (List<DurableFuture<List<T>>>) (List<?>) sources;
        }
        if (results.isEmpty()) {
            List<DurableFuture<List<T>>> made = new ArrayList<>();
            sources.forEach(source -> made.add(ratchet.then(options, source, steps)));
            results = List.copyOf(made);
        }
        return results;
    }

    @Override
    public List<T> collect() throws InterruptedException {
        List<T> all = new ArrayList<>();
        ratchet.awaitAll(futures()).forEach(all::addAll);
        return all;
    }

    @Override
    public long count() throws InterruptedException {
        List<DurableFuture<Integer>> sizes = new ArrayList<>();
        futures().forEach(part -> sizes.add(ratchet.then(options, part, new Size<>())));
        long count = 0;
        for (int size : ratchet.awaitAll(sizes)) {
            count += size;
        }
        return count;
    }

    private record Size<T>() implements SerializableFunction<List<T>, Integer> {
        @Override
        public Integer apply(List<T> elements) {
            return elements.size();
        }
    }

    private <K> List<List<DurableFuture<List<T>>>> hashed(SerializableFunction<? super T, ? extends K> key, int count) {
        List<List<DurableFuture<List<T>>>> parts = new ArrayList<>();
        futures().forEach(part -> parts.add(split(part, new Shuffle.Hashing<>(key, count), count)));
        return parts;
    }

    /**
     * The parts of one partition, by the new partition that each goes to. Made where the partition is: what takes a
     * part of it elsewhere reads the whole.
     */
    private List<DurableFuture<List<T>>> split(DurableFuture<List<T>> partition, Shuffle.Router<T> router, int count) {
        DurableFuture<List<List<T>>> split =
                ratchet.then(near(partition), partition, new Shuffle.Split<>(router, count));
        List<DurableFuture<List<T>>> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(ratchet.then(near(split), split, new Shuffle.Part<>(i)));
        }
        return parts;
    }

    /** Beside a result, unless the user wants another place. */
    private SubmitOptions near(DurableFuture<?> result) {
        return options.locality().equals(Locality.anywhere())
                ? options.withLocality(Locality.near(result.id()))
                : options;
    }

    private <R> List<DurableFuture<List<R>>> collected(
            List<List<DurableFuture<List<T>>>> parts,
            int count,
            SerializableFunction<List<List<T>>, List<R>> collector) {
        List<DurableFuture<List<R>>> collected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            List<DurableFuture<List<T>>> column =
                    parts.stream().map(row -> row.get(index)).toList();
            collected.add(ratchet.reduce(options, column, collector));
        }
        return collected;
    }

    private <R> Dataset<R> made(List<DurableFuture<List<R>>> futures) {
        return Dataset.ofFutures(ratchet, options, futures);
    }
}
