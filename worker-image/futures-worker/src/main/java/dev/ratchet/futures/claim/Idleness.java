/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import dev.ratchet.futures.queue.Room;

/**
 * What the store may say of whether this worker is idle: whoever fills the queue takes a worker off the idle ones and
 * wakes it. What this process knows of it is soft; it only saves looks that would find nothing.
 */
sealed interface Idleness {

    /** The store does not say that it is idle. */
    record Busy() implements Idleness {}

    /** The store may say so: a declaration has an unknown outcome, or somebody may have woken this worker. */
    record Unsure() implements Idleness {}

    /** The store says so, as far as is known: somebody wakes this worker for what fits into this room. */
    record Idle(Room room) implements Idleness {

        @Override
        public boolean willWakeFor(Room wanted) {
            return mayWakeFor(wanted)
                    && room.others() >= wanted.others()
                    && room.capacity().equals(wanted.capacity());
        }

        @Override
        public boolean mayWakeFor(Room wanted) {
            return room.futures() > 0 || wanted.futures() == 0;
        }
    }

    default boolean isBusy() {
        return this instanceof Busy;
    }

    default boolean isIdle() {
        return this instanceof Idle;
    }

    /** Whether this worker will be woken for whatever fits into this room. */
    default boolean willWakeFor(Room wanted) {
        return false;
    }

    /** Whether a wake-up, and not room that has become free, may be why this room is claimed for. */
    default boolean mayWakeFor(Room wanted) {
        return false;
    }

    /** What is known once a declaration may have ended: who was idle may have been woken. */
    default Idleness orWoken() {
        return isBusy() ? this : new Unsure();
    }
}
