/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableBiFunction;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * A collection in partitions, each the value of one future. What is asked of it becomes futures at once and runs while
 * the caller goes on; only {@link #collect} and {@link #count} wait, and {@link Ratchet#async} makes stages of them.
 * {@link #map}, {@link #filter} and {@link #flatMap} run together, in one task per partition. Lost partitions are
 * computed again like any future, so functions should give the same for the same. Immutable; safe for use by several
 * threads, and inside of tasks.
 *
 * <p>Limits: {@value #PARTITIONS_MAX} partitions; one partition fits into the memory of a worker; the elements and the
 * functions are serialisable. Moving elements between partitions takes n × m futures.
 *
 * @param <T> type of the elements
 */
public interface Dataset<T> {

    /** Most partitions. */
    int PARTITIONS_MAX = 1_000;

    /**
     * The elements in {@code partitions} parts of nearly the same size, in their order.
     *
     * @param options what the tasks of this dataset and of those made from it are submitted with
     * @throws InvalidInputException if the number of partitions is not 1 to {@value #PARTITIONS_MAX}
     */
    static <T> Dataset<T> of(Ratchet ratchet, SubmitOptions options, Collection<? extends T> elements, int partitions) {
        Partitions.requireCount(partitions);
        List<List<T>> parts = new ArrayList<>();
        Iterator<? extends T> rest = elements.iterator();
        for (int i = 0; i < partitions; i++) {
            int end = (int) ((long) elements.size() * (i + 1) / partitions);
            int start = (int) ((long) elements.size() * i / partitions);
            List<T> part = new ArrayList<>(end - start);
            for (int taken = start; taken < end; taken++) {
                part.add(rest.next());
            }
            parts.add(part);
        }
        return ofFutures(ratchet, options, ratchet.map(options, parts, new Steps<T, T>(List.of())));
    }

    /** The elements that futures give, one partition for each. */
    static <T> Dataset<T> ofFutures(
            Ratchet ratchet, SubmitOptions options, List<? extends DurableFuture<List<T>>> partitions) {
        Partitions.requireCount(partitions.size());
        return new Partitions<T, T>(ratchet, options, List.copyOf(partitions), new Steps<>(List.of()));
    }

    /**
     * The lines of files that workers read, in the order of the files' names: each partition is of nearly the same
     * number of bytes, wherever files begin and end. Which files there are is looked up once, by a task.
     *
     * @param folder absolute, and the same for all workers: a volume that they share, or storage that is mounted
     * @param glob which of its files, by their paths from it: {@code *.log}, {@code **.log} with those of folders in it
     */
    static Dataset<String> readFiles(
            Ratchet ratchet, SubmitOptions options, String folder, String glob, int partitions) {
        Partitions.requireCount(partitions);
        return ofFutures(ratchet, options, TextFiles.read(ratchet, options, folder, glob, partitions));
    }

    /** How many partitions there are. */
    int partitions();

    /** One element for each. */
    <R> Dataset<R> map(SerializableFunction<? super T, ? extends R> function);

    /** Those for which {@code condition} says true. */
    Dataset<T> filter(SerializableFunction<? super T, Boolean> condition);

    /** Any number of elements for each. */
    <R> Dataset<R> flatMap(SerializableFunction<? super T, ? extends Collection<? extends R>> function);

    /** The same elements in {@code count} partitions of nearly the same size; their order is lost. */
    Dataset<T> repartition(int count);

    /**
     * Elements with equal keys together, in as many partitions as before. Keys are strings, boxed values, enums, UUIDs,
     * and records and lists of those: what hashes alike on every worker.
     */
    <K> Dataset<Group<K, T>> groupBy(SerializableFunction<? super T, ? extends K> key);

    /** All pairs of elements with equal keys, of the kinds that {@link #groupBy} takes. */
    <K, U> Dataset<Pair<T, U>> join(
            Dataset<U> other,
            SerializableFunction<? super T, ? extends K> key,
            SerializableFunction<? super U, ? extends K> otherKey);

    /** Sorted by key: each partition, and the partitions one after the other. Equal keys come in any order. */
    <K extends Comparable<? super K>> Dataset<T> sortBy(SerializableFunction<? super T, ? extends K> key);

    /**
     * One value for the elements of each key: first for those of each partition, which alone then move, and then for
     * all. Keys as {@link #groupBy} takes them.
     *
     * @param create makes the value of no elements
     * @param add the value with one more element; may change and return the one that it is given
     * @param merge the value of two of one key, likewise
     */
    <K, A> Dataset<Pair<K, A>> aggregateByKey(
            SerializableFunction<? super T, ? extends K> key,
            SerializableCallable<A> create,
            SerializableBiFunction<A, T, A> add,
            SerializableBiFunction<A, A, A> merge);

    /**
     * One value of all elements, put together by a tree of tasks.
     *
     * @param identity the value of no elements, which changes no other
     * @param combine gives the same however the elements are grouped, as a sum does
     */
    DurableFuture<T> reduce(T identity, SerializableBiFunction<T, T, T> combine);

    /**
     * Writes the elements as lines of text, each partition to a file {@code part-00000.txt} and so on, which is there
     * only once it is whole, however often it is tried.
     *
     * @param folder absolute, and the same for all workers; made if it is not there, refused if it is not empty
     * @return the paths of the files, once all are written
     */
    DurableFuture<List<String>> write(String folder);

    /** The values of the partitions, as futures. */
    List<DurableFuture<List<T>>> futures();

    /** All elements, partition by partition, in the memory of the caller. Waits for them. */
    List<T> collect() throws InterruptedException;

    /** How many elements there are. Waits for them; they stay on the workers. */
    long count() throws InterruptedException;
}
