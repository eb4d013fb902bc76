/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import dev.ratchet.environment.Environment;

/**
 * Raises a signal some time after it is asked to: once for all who ask meanwhile, and not at all where the thread that
 * is to be woken has looked since. Safe for use by several threads.
 */
public final class DelayedSignal {

    private final Environment environment;
    private final Signal signal;
    private final long delayMillis;
    private boolean isUrgent = true;
    private boolean isAsked;
    private boolean isTimed;

    /** Delays nothing before {@link #setUrgent} says so. */
    public DelayedSignal(Environment environment, Signal signal, long delayMillis) {
        this.environment = environment;
        this.signal = signal;
        this.delayMillis = delayMillis;
    }

    /** Has the signal raised: at once where it is urgent, otherwise after the delay. */
    public synchronized void raise() {
        if (isUrgent) {
            signal.raise();
            return;
        }
        isAsked = true;
        if (!isTimed) {
            isTimed = true;
            environment.schedule(delayMillis, this::due);
        }
    }

    private synchronized void due() {
        isTimed = false;
        raiseAsked();
    }

    private void raiseAsked() {
        if (isAsked) {
            isAsked = false;
            signal.raise();
        }
    }

    /** The thread that is to be woken looks now: nobody who has asked before needs the signal any more. */
    public synchronized void looked() {
        isAsked = false;
    }

    /** Says whether whoever asks from now on, or has asked since the last look, can not wait. */
    public synchronized void setUrgent(boolean urgent) {
        isUrgent = urgent;
        if (urgent) {
            raiseAsked();
        }
    }
}
