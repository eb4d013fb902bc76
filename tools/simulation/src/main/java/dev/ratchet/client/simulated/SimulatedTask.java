/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskStore;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a user's code does in a simulation: takes its time, tells {@link SimulatedExecutions} when it begins and ends,
 * and returns what only depends on its number and its arguments.
 *
 * @param number of the future, unique in its world
 * @param millis how long it runs
 * @param kind what becomes of it
 */
public record SimulatedTask(int number, long millis, Kind kind) implements SerializableFunction<Object, Object> {

    /** Ways to end. */
    public enum Kind {
        /** Returns a small value. */
        SMALL,
        /** Returns a value that is kept in an object store. */
        LARGE,
        /** Returns such a value, which must not be computed again once it is lost. */
        LARGE_ONCE,
        /** Throws at its first execution, and returns a small value at every other. */
        FAILS_ONCE,
        /** Always throws. */
        FAILS,
        /** Awaits what it submits itself, and returns a small value. */
        NESTED,
        /** Adds one to a number in the store together with its result, and returns a small value. */
        COUNTS,
        /** Returns a small value that differs from execution to execution. */
        VARIES,
        /** Goes on until {@link SimulatedExecutions#open}, and returns a small value. */
        GUARDS,
        /** Goes on when it is interrupted, and returns a small value. */
        DEAF
    }

    private static final int LARGE_CHARS = 12_000;
    private static final int CHILDREN = 2;
    private static final Pattern INTACT = Pattern.compile("value of \\d+ from \\d+(!{" + LARGE_CHARS + "})?");

    /** Numbers of elements and children, apart from those of whole tasks. */
    private static final int NUMBERS_OF_CHILDREN = 1_000_000;

    private static final int RETRIES_OF_CHILDREN = 20;
    private static final List<Kind> KINDS_OF_CHILDREN = List.of(Kind.SMALL, Kind.NESTED, Kind.LARGE, Kind.FAILS_ONCE);
    private static final byte[] COUNT = "count".getBytes(StandardCharsets.UTF_8);

    @Override
    public Object apply(@Nullable Object argument) throws Exception {
        return argument instanceof Integer element
                ? element(element).run(0)
                : run(argument instanceof List<?> values ? requireIntact(values) : 0);
    }

    private static int requireIntact(List<?> values) {
        for (Object value : values) {
            if (!INTACT.matcher((String) value).matches()) {
                throw new IllegalStateException("This is not what an upstream has returned: " + value);
            }
        }
        return values.size();
    }

    /** The task that this one is for one element of what it is mapped over. */
    public SimulatedTask element(int element) {
        return new SimulatedTask(number + element, millis, kind);
    }

    private Object run(int arguments) throws Exception {
        try (SimulatedExecutions.Execution execution =
                SimulatedExecutions.here().begin(this)) {
            do {
                pass();
            } while (kind == Kind.GUARDS && !SimulatedExecutions.here().isOpen());
            if (kind == Kind.NESTED) {
                awaitChildren();
            } else if (kind == Kind.COUNTS) {
                count(TaskContext.current().store());
            }
            execution.failIfItShould();
            return kind == Kind.VARIES ? valueAt(execution.attempt()) : value(arguments);
        }
    }

    private void pass() throws InterruptedException {
        VirtualProcess process = VirtualThreads.current();
        long end = process.nanoTime() + millis * 1_000_000;
        for (long left = millis; left > 0; left = (end - process.nanoTime()) / 1_000_000) {
            try {
                VirtualThreads.sleep(left);
            } catch (InterruptedException cancelled) {
                if (kind != Kind.DEAF) {
                    throw cancelled;
                }
            }
        }
    }

    /** What the execution of this number returns, counted from 1, of a task whose value varies. */
    public String valueAt(int execution) {
        return value(0) + " at time " + execution;
    }

    private static void count(TaskStore store) {
        long before = store.get(COUNT).map(SimulatedTask::counted).orElse(0L);
        store.set(COUNT, ByteBuffer.allocate(Long.BYTES).putLong(before + 1).array());
    }

    /** The key of the number that tasks which count add to. */
    public static byte[] countKey() {
        return COUNT.clone();
    }

    /** What is stored under {@link #countKey}. */
    public static long counted(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private void awaitChildren() throws Exception {
        boolean mayNest = number < NUMBERS_OF_CHILDREN;
        Kind kindOfChildren = mayNest ? KINDS_OF_CHILDREN.get(number % KINDS_OF_CHILDREN.size()) : Kind.SMALL;
        SimulatedTask child = new SimulatedTask(NUMBERS_OF_CHILDREN + 10 * number, millis / CHILDREN, kindOfChildren);
        List<Integer> elements = IntStream.rangeClosed(1, CHILDREN).boxed().toList();
        SubmitOptions options = SubmitOptions.ofJob("job").withMaxRetries(RETRIES_OF_CHILDREN);
        List<DurableFuture<Object>> children = Ratchet.current().map(options, elements, child);
        for (int i = 0; i < CHILDREN; i++) {
            Object value = children.get(i).get();
            if (!child.element(elements.get(i)).value(0).equals(value)) {
                throw new IllegalStateException("A child of task " + number + " has returned " + value);
            }
        }
    }

    /** What it returns for so many arguments. */
    public String value(int arguments) {
        String small = "value of " + number + " from " + arguments;
        return kind == Kind.LARGE || kind == Kind.LARGE_ONCE ? small + "!".repeat(LARGE_CHARS) : small;
    }
}
