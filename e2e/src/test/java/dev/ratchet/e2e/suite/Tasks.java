/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import java.io.Serializable;

/** The code that the suites ship to workers; apart from them, so that it drags no test library along. */
public final class Tasks {

    private Tasks() {}

    /** Gives back what it was made with. */
    public static <T extends Serializable> SerializableCallable<T> constant(T value) {
        return () -> value;
    }

    /** Squares a number, taking its time. */
    public static SerializableFunction<Integer, Long> slowSquare(long millis) {
        return number -> {
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
}
