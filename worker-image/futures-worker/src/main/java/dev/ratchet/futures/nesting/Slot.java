/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

/** The right of a task's thread to run, which it gives away while it waits. */
public interface Slot {

    /** Whether the calling thread is the one that has it: other threads of a task wait on their own account. */
    boolean isMine();

    /** Lets another task run. */
    void giveBack();

    /** Waits until this task may run again; an interrupt stays pending. */
    void takeAgain();
}
