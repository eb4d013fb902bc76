/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** The code that runs on the workers. */
final class Tasks {

    /** Tasks that count together with others also count under this and their id. */
    static final String CONTENDED = "contended-";

    private Tasks() {}

    /** Thrown by code that is meant to fail. */
    static final class MeantException extends RuntimeException {
        MeantException(String message) {
            super(message);
        }
    }

    /** Counts this result under the id of its future: must become one, whatever happens. */
    static void count() {
        increment(TaskContext.current().id().toString());
    }

    static void increment(String name) {
        TaskStore store = TaskContext.current().store();
        byte[] key = name.getBytes(StandardCharsets.US_ASCII);
        long before =
                store.get(key).map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
        store.set(key, ByteBuffer.allocate(Long.BYTES).putLong(before + 1).array());
    }

    /** Sleeps, counts, returns. */
    static SerializableCallable<Long> slow(long value, long millis) {
        return () -> {
            Thread.sleep(millis);
            count();
            return value;
        };
    }

    /** Fails so many times, then counts and returns. */
    static SerializableCallable<Long> flaky(long value, int failures) {
        return () -> {
            if (TaskContext.current().attempt() <= failures) {
                throw new MeantException("attempt " + TaskContext.current().attempt());
            }
            count();
            return value;
        };
    }

    /** Counts in the same transaction a number that others count too. */
    static SerializableCallable<Long> contended(long value, String name) {
        return () -> {
            increment(name);
            increment(CONTENDED + TaskContext.current().id());
            count();
            return value;
        };
    }

    /** Counts, and always fails. */
    static SerializableCallable<Long> failing() {
        return () -> {
            count();
            throw new MeantException("always");
        };
    }

    /** Returns bytes that follow from a seed. */
    static SerializableCallable<byte[]> large(long seed, long length) {
        return () -> {
            count();
            return bytes(seed, length);
        };
    }

    static byte[] bytes(long seed, long length) {
        byte[] bytes = new byte[(int) length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    static long checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return checksum.getValue();
    }

    /** Fibonacci numbers by tasks that await tasks. */
    record Fibonacci(int number) implements SerializableCallable<Long> {
        @Override
        public Long call() throws Exception {
            Tasks.count();
            if (number < 2) {
                return (long) number;
            }
            Ratchet cluster = Ratchet.current();
            DurableFuture<Long> former = cluster.submit(new Fibonacci(number - 1));
            return cluster.submit(new Fibonacci(number - 2)).get() + former.get();
        }

        static long of(int number) {
            return number < 2 ? number : of(number - 1) + of(number - 2);
        }
    }
}
