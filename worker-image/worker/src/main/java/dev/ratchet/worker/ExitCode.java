/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

/** Why a worker process ended, for the kubelet and for people. */
enum ExitCode {
    /** Told to end, and did so in order. */
    DONE(0),
    /** Something that nobody expected. */
    BROKEN(1),
    /** The configuration can not be used. */
    MISCONFIGURED(2),
    /** The seat was lost, or the lease is over. A new process may take the seat again. */
    SEAT_LOST(3),
    /** The configuration has changed in a way that a running process can not follow. */
    RECONFIGURED(4),
    /** A task's code goes on although it was interrupted, which only a new process ends. */
    STUCK(5),
    /** The store gives no answer. The next process waits for it. */
    STORE_SILENT(6);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
