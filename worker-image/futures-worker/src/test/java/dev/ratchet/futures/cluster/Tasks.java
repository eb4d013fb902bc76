/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SerializableGenerator;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Code that tests send to workers. It is loaded there by another class loader, so it shares nothing with the test but
 * the classes of the Java platform: {@link #counter} lives in the system properties.
 */
public final class Tasks {

    /** What {@link #writing} reads and writes. */
    static final int KEYS = 500;

    private Tasks() {}

    /** A counter that test and tasks share. */
    public static AtomicInteger counter(String name) {
        return (AtomicInteger)
                System.getProperties().computeIfAbsent("test.counter." + name, unused -> new AtomicInteger());
    }

    public static long sum(List<? extends Number> numbers) {
        return numbers.stream().mapToLong(Number::longValue).sum();
    }

    public static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + size);
        }
        return bytes;
    }

    static byte[] repeated(int bytes, int value) {
        byte[] all = new byte[bytes];
        Arrays.fill(all, (byte) value);
        return all;
    }

    /** Which byte is all that is in what it has captured; -1 where there are several. */
    static SerializableCallable<Integer> onlyByte(byte[] captured) {
        return () -> {
            for (byte one : captured) {
                if (one != captured[0]) {
                    return -1;
                }
            }
            return (int) captured[0];
        };
    }

    /** So many bytes, each the number's last two digits. */
    static SerializableFunction<Integer, byte[]> filled(int bytes) {
        return number -> {
            byte[] value = new byte[bytes];
            Arrays.fill(value, (byte) (number % 100));
            return value;
        };
    }

    /** A function that is made here, for tests whose own class has fields or lambdas with types of the worker. */
    static SerializableFunction<Integer, Integer> tripling() {
        return n -> n * 3;
    }

    /** Writes keys of its number's own that nobody has written: how many these are. */
    static SerializableFunction<Integer, Integer> writing() {
        return number -> {
            TaskStore store = TaskContext.current().store();
            int count = 0;
            for (int key = 0; key < KEYS; key++) {
                byte[] name = {(byte) (number >> 8), number.byteValue(), (byte) (key >> 8), (byte) key};
                count += store.get(name).isEmpty() ? 1 : 0;
                store.set(name, new byte[1_000]);
            }
            return count;
        };
    }

    static SerializableGenerator<Integer> counting(int count) {
        return out -> {
            for (int number = 0; number < count; number++) {
                out.emit(number);
            }
        };
    }

    static SerializableCallable<List<Integer>> emptyList() {
        return ArrayList::new;
    }

    /** A call of an actor that is a list. */
    static SerializableFunction<List<Integer>, Boolean> adding(int number) {
        return state -> state.add(number);
    }

    static <T> SerializableFunction<T, T> same() {
        return state -> state;
    }

    static SerializableFunction<Integer, Integer> tenth() {
        return n -> n / 10;
    }

    static SerializableFunction<List<Integer>, Long> summing() {
        return Tasks::sum;
    }

    static SerializableFunction<byte[], Integer> length() {
        return bytes -> bytes.length;
    }

    /** A task that puts a value and returns the id of that. */
    static SerializableCallable<String> putting(int size) {
        return () -> {
            DurableFuture<byte[]> value = Ratchet.current().put(bytes(size));
            value.submitted().toCompletableFuture().join();
            return value.id().toString();
        };
    }

    /** Puts the two halves of its argument and returns their ids. */
    static SerializableFunction<byte[], List<String>> halving() {
        return bytes -> {
            List<String> ids = new java.util.ArrayList<>();
            for (int from = 0; from < bytes.length; from += bytes.length / 2) {
                byte[] half = java.util.Arrays.copyOfRange(bytes, from, from + bytes.length / 2);
                DurableFuture<byte[]> part = Ratchet.current().put(half);
                part.submitted().toCompletableFuture().join();
                ids.add(part.id().toString());
            }
            return ids;
        };
    }

    /** A task that ends only by an interrupt. */
    static SerializableCallable<Integer> never() {
        return () -> {
            new CountDownLatch(1).await();
            return 0;
        };
    }

    /** The sum of the lengths of what it is given. */
    static SerializableFunction<List<byte[]>, Integer> lengths() {
        return all -> all.stream().mapToInt(bytes -> bytes.length).sum();
    }

    static SerializableCallable<byte[]> returningBytes(int size) {
        return () -> bytes(size);
    }

    /** A lambda that has captured something. */
    static SerializableCallable<Integer> returning(int number) {
        return () -> number;
    }

    /** A task with a state. */
    record Doubling(int number) implements SerializableCallable<Integer> {
        @Override
        public Integer call() {
            return 2 * number;
        }
    }

    /** For tasks by name. */
    public static String shout(String text) {
        return text.toUpperCase(java.util.Locale.ROOT);
    }

    static SerializableCallable<Integer> failing() {
        return () -> {
            throw new IllegalStateException("broken");
        };
    }

    /** Ends once the test opens {@code block.gate}; {@code block.started} counts. */
    static SerializableCallable<Integer> gate() {
        return () -> {
            counter("block.started").incrementAndGet();
            while (counter("block.gate").get() == 0) {
                Thread.sleep(5);
            }
            return 0;
        };
    }

    /** Fails for each tenth number, and has a large result for another tenth. */
    static SerializableFunction<Integer, byte[]> mixed() {
        return n -> {
            if (n % 10 == 3) {
                throw new IllegalStateException("number " + n);
            }
            return bytes(n % 10 == 7 ? 20_000 : n);
        };
    }

    /** Of so many futures the first, of number 0, runs until all have begun; {@code block.begun} counts. */
    static SerializableFunction<Integer, Integer> firstEndsOnceAllHaveBegun(int count) {
        return n -> {
            counter("block.begun").incrementAndGet();
            while (n == 0 && counter("block.begun").get() < count) {
                Thread.sleep(5);
            }
            return n;
        };
    }

    /** Waits for a child. */
    static SerializableFunction<Integer, Integer> nested() {
        return n -> Ratchet.current().submit(() -> n).get();
    }
}
