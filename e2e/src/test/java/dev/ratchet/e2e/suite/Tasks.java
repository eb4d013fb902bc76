/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.ViewChange;
import java.io.Serializable;
import java.util.Random;

/** The code that the suites ship to workers; apart from them, so that it drags no test library along. */
public final class Tasks {

    private Tasks() {}

    /** Gives back what it was made with. */
    public static <T extends Serializable> SerializableCallable<T> constant(T value) {
        return () -> value;
    }

    /** The seat of the worker that runs it. */
    public static SerializableCallable<String> seat() {
        return () -> TaskContext.current().seat();
    }

    /** Squares a number, taking its time. */
    public static SerializableFunction<Integer, Long> slowSquare(long millis) {
        return number -> {
            Thread.sleep(millis);
            return (long) number * number;
        };
    }

    /** As {@link #slowSquare}, but fails in a process with this variable. */
    public static SerializableFunction<Integer, Long> slowSquareWithout(String variable, long millis) {
        return number -> {
            if (System.getenv(variable) != null) {
                throw new IllegalStateException("this process has the variable " + variable);
            }
            Thread.sleep(millis);
            return (long) number * number;
        };
    }

    /** Fails for one number and squares the others. */
    public static SerializableFunction<Integer, Long> failFor(int unlucky) {
        return number -> {
            if (number == unlucky) {
                throw new IllegalStateException("no luck with " + number);
            }
            return (long) number * number;
        };
    }

    /** Bytes that follow from a number. */
    public static SerializableFunction<Integer, byte[]> bytes(int count) {
        return number -> {
            byte[] bytes = new byte[count];
            new Random(number).nextBytes(bytes);
            return bytes;
        };
    }

    /** Counts the calls of an actor. */
    public static SerializableFunction<int[], Integer> count() {
        return calls -> ++calls[0];
    }

    /** What a row of a view with an order is worth: an invoice, or a credit note for one that has left the view. */
    public static SerializableFunction<ViewChange, String> invoice() {
        return change ->
                (change.isAdded() ? "invoice " : "credit ") + change.row().get("id");
    }
}
