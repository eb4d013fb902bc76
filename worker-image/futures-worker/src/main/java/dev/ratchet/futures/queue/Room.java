/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.Requirements;

/**
 * How much one look at the queue may take: futures of the default class by number, because they may be claimed ahead of
 * the slots, and everything else by what it requires. Counts down; used by one thread at a time.
 */
public final class Room {

    private int futures;
    private Capacity capacity;
    private int others;

    /**
     * @param futures futures of the default class
     * @param capacity what futures of other classes may take together
     * @param others how many of those at most
     */
    public Room(int futures, Capacity capacity, int others) {
        this.futures = futures;
        this.capacity = capacity;
        this.others = others;
    }

    /** The same room again. */
    public Room copy() {
        return new Room(futures, capacity, others);
    }

    /** Futures of the default class. */
    public int futures() {
        return futures;
    }

    /** What futures of other classes may take. */
    public Capacity capacity() {
        return capacity;
    }

    /** Futures of other classes at most. */
    public int others() {
        return others;
    }

    /** Whether one future of the class fits. */
    public boolean fits(String requirementClass, Requirements requirements) {
        return requirementClass.equals(SchedulingSpecs.DEFAULT_CLASS)
                ? futures > 0
                : others > 0 && capacity.fits(requirements);
    }

    /** Takes room for up to {@code wanted} futures of one class; for how many. */
    public int take(String requirementClass, Requirements requirements, int wanted) {
        int taken = 0;
        if (requirementClass.equals(SchedulingSpecs.DEFAULT_CLASS)) {
            taken = Math.min(futures, wanted);
            futures -= taken;
            return taken;
        }
        while (taken < wanted && fits(requirementClass, requirements)) {
            capacity = capacity.minus(requirements);
            others--;
            taken++;
        }
        return taken;
    }
}
