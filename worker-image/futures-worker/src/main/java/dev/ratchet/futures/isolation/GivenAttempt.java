/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.RatchetException;
import dev.ratchet.protocol.isolation.v1.Attempt;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.Refused;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as the process that it was given to sees it: asks the worker, one thing at a time by whatever thread,
 * and is interrupted while it runs and never after.
 */
final class GivenAttempt {

    private static final ToProcess OVER = ToProcess.newBuilder()
            .setRefused(Refused.newBuilder().setMessage("The attempt at the task has ended."))
            .build();

    private final WorkerLink worker;
    private final long number;
    private final Attempt content;
    /** At most one: the worker gives no answer that was not asked for. */
    private final BlockingQueue<ToProcess> answers = new LinkedBlockingQueue<>();
    /** No monitor: some questions take as long as a slot is not free, and threads may be virtual. */
    private final ReentrantLock asking = new ReentrantLock();

    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread runner;
    private boolean interrupted;

    GivenAttempt(WorkerLink worker, long number, Attempt content) {
        this.worker = worker;
        this.number = number;
        this.content = content;
    }

    long number() {
        return number;
    }

    Attempt content() {
        return content;
    }

    /** Binds it to the calling thread. */
    synchronized void begin() {
        runner = Thread.currentThread();
        if (interrupted) {
            runner.interrupt();
        }
    }

    /** Unbinds it; no interrupt meant for it stays behind on the thread. Threads that it has left ask in vain. */
    void end() {
        synchronized (this) {
            runner = null;
            var unused = Thread.interrupted();
        }
        ended.countDown();
        answers.add(OVER);
    }

    synchronized void interrupt() {
        interrupted = true;
        if (runner != null) {
            runner.interrupt();
        }
    }

    /** Whether its thread has told this process to end, and waits for that. */
    synchronized boolean isExiting() {
        return runner != null
                && Arrays.stream(runner.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
    }

    void awaitEnd(long nanos) throws InterruptedException {
        var unused = ended.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Says how it has ended. */
    void tell(FromProcess outcome) {
        worker.end(number, outcome);
    }

    /**
     * Asks something; an interrupt stays pending.
     *
     * @throws RatchetException if the worker refuses
     */
    ToProcess ask(FromProcess question) {
        boolean later = false;
        asking.lock();
        try {
            if (ended.getCount() > 0) {
                worker.send(number, question);
            }
            while (true) {
                try {
                    ToProcess answer = ended.getCount() > 0 ? answers.take() : OVER;
                    if (answer.hasRefused()) {
                        throw new RatchetException(answer.getRefused().getMessage());
                    }
                    return answer;
                } catch (InterruptedException interrupt) {
                    later = true;
                }
            }
        } finally {
            asking.unlock();
            if (later) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void answered(ToProcess answer) {
        answers.add(answer);
    }
}
