/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One attempt in a process, as its worker sees it: what it says comes in order, the end of its process last. Used by
 * one thread, which may be interrupted while it waits.
 */
final class ProcessAttempt implements AutoCloseable {

    private final TaskProcess process;
    private final long number;
    /** At most one question or outcome, and the end: an attempt says nothing more before it is answered. */
    private final BlockingQueue<Optional<FromProcess>> inbox = new LinkedBlockingQueue<>();

    ProcessAttempt(TaskProcess process, long number) {
        this.process = process;
        this.number = number;
    }

    long number() {
        return number;
    }

    void send(ToProcess message) {
        process.send(message.toBuilder().setAttemptNumber(number).build());
    }

    /** What it says next; nothing if its process has ended. */
    Optional<FromProcess> receive() throws InterruptedException {
        return inbox.take();
    }

    /** The same within a limit, after which nothing has come either. */
    Optional<FromProcess> receive(long nanos) throws InterruptedException {
        Optional<FromProcess> next = inbox.poll(nanos, TimeUnit.NANOSECONDS);
        return next == null ? Optional.empty() : next;
    }

    void said(FromProcess message) {
        inbox.add(Optional.of(message));
    }

    void gone() {
        inbox.add(Optional.empty());
    }

    /** What it says from now on is not heard. */
    @Override
    public void close() {
        process.forget(this);
    }
}
