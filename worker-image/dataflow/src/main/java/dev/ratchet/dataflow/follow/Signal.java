/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a thread that waits for work; a signal that comes while it works is not lost. Safe for use by several threads.
 */
public final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private boolean isRaised;

    public void raise() {
        lock.lock();
        try {
            isRaised = true;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is raised, and takes it back. */
    public void await() {
        lock.lock();
        try {
            while (!isRaised) {
                raised.awaitUninterruptibly();
            }
            isRaised = false;
        } finally {
            lock.unlock();
        }
    }
}
