/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.TaskContext;
import java.util.concurrent.CountDownLatch;

/** What the futures run that the tests of commands look at; apart from the tests, because workers load this class. */
final class CliTasks {

    private CliTasks() {}

    /** A value of so many bytes. */
    static SerializableCallable<byte[]> bytes(int size) {
        return () -> new byte[size];
    }

    static SerializableCallable<Integer> failing() {
        return () -> {
            throw new IllegalStateException("out of paper");
        };
    }

    /** Fails with a message that would rename a terminal's window, and write backwards. */
    static SerializableCallable<Integer> escaping() {
        return () -> {
            throw new IllegalStateException("\u001b]0;owned\u0007 second\nline \u202eabc");
        };
    }

    /** Says how far it is with a note that is no single line, and goes on. */
    static SerializableCallable<Integer> noting() {
        return () -> {
            TaskContext.current().progress(1, 2, "two\nlines \u001b[31m");
            new CountDownLatch(1).await();
            return 0;
        };
    }

    /** Ends only by an interrupt. */
    static SerializableCallable<Integer> never() {
        return () -> {
            new CountDownLatch(1).await();
            return 0;
        };
    }

    static SerializableFunction<Integer, Integer> half() {
        return number -> number / 2;
    }

    /** Submits two others and awaits them. */
    static SerializableCallable<Integer> family() {
        return () -> {
            DurableFuture<byte[]> first = Ratchet.current().submit(bytes(1));
            DurableFuture<byte[]> second = Ratchet.current().submit(bytes(2));
            return first.get().length + second.get().length;
        };
    }
}
