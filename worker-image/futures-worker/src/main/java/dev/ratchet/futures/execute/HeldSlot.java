/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.futures.nesting.Slot;

/**
 * The slot of an execution, which gives it to others while its code awaits something. Used by the thread that runs the
 * execution.
 */
final class HeldSlot implements Slot {

    private final Execution execution;
    private final Executions executions;
    private final Admission admission;
    private final Slots slots;
    private final Runnable released;

    /** @param released called when the slot has been given back */
    HeldSlot(Execution execution, Executions executions, Admission admission, Slots slots, Runnable released) {
        this.execution = execution;
        this.executions = executions;
        this.admission = admission;
        this.slots = slots;
        this.released = released;
    }

    @Override
    public boolean isMine() {
        return execution.isRunner() && !execution.isSuspended();
    }

    @Override
    public void giveBack() {
        execution.beginsToWait();
        executions.suspend(execution, true);
        admission.suspended(execution.admitted());
        slots.release();
        released.run();
    }

    @Override
    public void takeAgain() {
        if (execution.stopped() == null) {
            slots.acquire();
        } else {
            slots.overdraw();
        }
        admission.resumed(execution.admitted());
        executions.suspend(execution, false);
    }
}
