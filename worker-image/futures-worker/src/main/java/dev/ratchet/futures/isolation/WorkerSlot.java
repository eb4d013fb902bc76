/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.futures.nesting.Slot;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.Resume;
import dev.ratchet.protocol.isolation.v1.Waiting;

/** The slot that a task in this process has of its worker. */
record WorkerSlot(GivenAttempt attempt, Thread owner) implements Slot {

    @Override
    public boolean isMine() {
        return Thread.currentThread() == owner;
    }

    @Override
    public void giveBack() {
        var unused = attempt.ask(FromProcess.newBuilder()
                .setWaiting(Waiting.getDefaultInstance())
                .build());
    }

    @Override
    public void takeAgain() {
        var unused = attempt.ask(
                FromProcess.newBuilder().setResume(Resume.getDefaultInstance()).build());
    }
}
