/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SerializableGenerator;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskStore;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The code that runs on the workers. Apart from what measures it, whose classes workers hide from users' code. */
final class BenchTasks {

    /** Traces of what has not run on the seat that it was meant for begin so. */
    static final String ELSEWHERE = "elsewhere-";

    private static final long LONG_MILLIS = 60_000;
    private static final long GATE_MILLIS = 10;
    private static final long SLOW_MILLIS = 50;
    private static final long LONG_GATE_MILLIS = 500;

    private BenchTasks() {}

    static SerializableCallable<Integer> returning(int number) {
        return () -> number;
    }

    /** When it runs. */
    static SerializableCallable<Long> wallMillis() {
        return System::currentTimeMillis;
    }

    static SerializableFunction<Integer, Integer> same() {
        return number -> number;
    }

    static SerializableFunction<Integer, Integer> next() {
        return number -> number + 1;
    }

    static SerializableFunction<List<Integer>, Integer> sum() {
        return all -> all.stream().mapToInt(number -> number).sum();
    }

    static SerializableFunction<List<Long>, Long> longSum() {
        return all -> all.stream().mapToLong(number -> number).sum();
    }

    static SerializableFunction<List<Integer>, Long> partSum() {
        return all -> all.stream().mapToLong(number -> number).sum();
    }

    static SerializableCallable<int[]> counter() {
        return () -> new int[1];
    }

    static SerializableFunction<int[], Integer> count() {
        return counter -> ++counter[0];
    }

    /** Runs until a file is gone. */
    static SerializableCallable<Integer> waitingFor(String gate) {
        return () -> {
            while (Files.exists(Path.of(gate))) {
                Thread.sleep(GATE_MILLIS);
            }
            return 0;
        };
    }

    /**
     * Where and when a task ran.
     *
     * @param number what it was given
     */
    record Trace(int number, String seat, long fromMillis, long toMillis) implements Serializable {}

    static SerializableCallable<Trace> tracing(int number, long millis) {
        return () -> {
            long from = System.currentTimeMillis();
            Thread.sleep(millis);
            return new Trace(number, TaskContext.current().seat(), from, System.currentTimeMillis());
        };
    }

    /** Writes where it runs to a file, and stays; its next attempt returns the milliseconds at which that began. */
    static SerializableCallable<Long> leavingTrace(String trace) {
        return () -> {
            long now = System.currentTimeMillis();
            if (TaskContext.current().attempt() == 1) {
                Files.writeString(Path.of(trace), TaskContext.current().seat());
                Thread.sleep(LONG_MILLIS);
            }
            return now;
        };
    }

    /**
     * Leaves a trace, returns the milliseconds at which it began, and counts that with its result. On one seat it stays
     * until a file is gone.
     */
    static SerializableCallable<Long> held(int number, Path directory, Path gate, String seat, String name) {
        String traces = directory.toString();
        String file = gate.toString();
        return () -> {
            long now = System.currentTimeMillis();
            boolean there = TaskContext.current().seat().equals(seat);
            Files.writeString(Path.of(traces, (there ? "" : ELSEWHERE) + number), "");
            if (there) {
                while (Files.exists(Path.of(file))) {
                    Thread.sleep(LONG_GATE_MILLIS);
                }
            }
            TaskStore store = TaskContext.current().store();
            byte[] key = key(name, number);
            int before = store.get(key).map(BenchTasks::number).orElse(0);
            store.set(key, Integer.toString(before + 1).getBytes(StandardCharsets.US_ASCII));
            return now;
        };
    }

    /** How often each of so many has counted. */
    static SerializableCallable<List<Integer>> counts(int from, int to, String name) {
        return () -> {
            TaskStore store = TaskContext.current().store();
            List<Integer> counts = new ArrayList<>();
            for (int number = from; number < to; number++) {
                counts.add(store.get(key(name, number)).map(BenchTasks::number).orElse(0));
            }
            return counts;
        };
    }

    private static byte[] key(String name, int number) {
        return (name + "/" + number).getBytes(StandardCharsets.US_ASCII);
    }

    private static int number(byte[] value) {
        return Integer.parseInt(new String(value, StandardCharsets.US_ASCII));
    }

    /** Returns a number after a while. */
    static SerializableCallable<Integer> slowly(int number) {
        return () -> {
            Thread.sleep(SLOW_MILLIS);
            return number;
        };
    }

    /** Emits the numbers from 0 on. */
    static SerializableGenerator<Integer> counting(int count) {
        return out -> {
            for (long number = out.resume(); number < count; number++) {
                out.emit((int) number);
            }
        };
    }

    /** The numbers from 0 on. */
    static SerializableCallable<List<Integer>> upTo(int count) {
        return () -> IntStream.range(0, count).boxed().toList();
    }

    /** So many bytes, all of which are the number. */
    static SerializableFunction<Integer, byte[]> filled(int bytes) {
        return number -> {
            byte[] value = new byte[bytes];
            Arrays.fill(value, number.byteValue());
            return value;
        };
    }

    /** Bytes that follow from a number; says in a file that it has run. */
    static SerializableFunction<Integer, byte[]> source(int bytes, String trace) {
        return number -> {
            trace(trace, "source " + number);
            byte[] value = new byte[bytes];
            new SplittableRandom(number).nextBytes(value);
            return value;
        };
    }

    /** The sums of the bytes of several values of one length; says in a file that it has run. */
    static SerializableFunction<List<byte[]>, byte[]> added(String trace) {
        return values -> {
            trace(trace, "added");
            byte[] sums = values.get(0).clone();
            for (byte[] value : values.subList(1, values.size())) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += value[i];
                }
            }
            return sums;
        };
    }

    private static void trace(String file, String line) throws IOException {
        // Short and appended: lines of several processes do not mix.
        Files.writeString(Path.of(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A partition of elements, each of which begins with its number and goes on with bytes that follow from it. */
    static SerializableFunction<Integer, List<byte[]>> partition(int elements, int bytes) {
        return partition -> {
            List<byte[]> all = new ArrayList<>();
            for (int i = 0; i < elements; i++) {
                all.add(element(partition * elements + i, bytes));
            }
            return all;
        };
    }

    private static byte[] element(int number, int bytes) {
        byte[] element = new byte[bytes];
        new SplittableRandom(number).nextBytes(element);
        ByteBuffer.wrap(element).putInt(number);
        return element;
    }

    /** The numbers of the elements of a partition; fails if the bytes of one do not follow from its number. */
    static SerializableFunction<List<byte[]>, int[]> numbers() {
        return elements -> {
            int[] numbers = new int[elements.size()];
            for (int i = 0; i < numbers.length; i++) {
                byte[] element = elements.get(i);
                numbers[i] = ByteBuffer.wrap(element).getInt();
                if (!Arrays.equals(element, element(numbers[i], element.length))) {
                    throw new IllegalStateException("Element " + numbers[i] + " has other bytes than it was made with");
                }
            }
            return numbers;
        };
    }
}
