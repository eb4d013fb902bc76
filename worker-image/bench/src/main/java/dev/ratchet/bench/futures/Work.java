/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.TaskContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The code that runs on the workers. Apart from what measures it, whose classes workers hide from users' code. */
final class Work {

    private static final long LONG_MILLIS = 60_000;
    private static final long GATE_MILLIS = 10;

    private Work() {}

    static SerializableCallable<Integer> returning(int number) {
        return () -> number;
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
}
