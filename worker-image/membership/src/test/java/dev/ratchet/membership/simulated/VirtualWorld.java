/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * One thread, virtual time, and events in an order that the seed decides where time does not: two runs of one seed are
 * equal. Everything that is executed or scheduled arrives up to a millisecond late, so that seeds differ in who comes
 * first.
 */
public final class VirtualWorld {

    private static final long JITTER_NANOS = 1_000_000;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final SplittableRandom random;
    private final long seed;
    private long nanos = 1_000_000_000_000L;
    private long number;

    private record Event(long nanos, long number, VirtualProcess owner, Runnable task) {}

    public VirtualWorld(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public long nanos() {
        return nanos;
    }

    public long seed() {
        return seed;
    }

    SplittableRandom random() {
        return random;
    }

    void at(long delayNanos, VirtualProcess owner, Runnable task) {
        number++;
        events.add(new Event(nanos + delayNanos + random.nextLong(JITTER_NANOS), number, owner, task));
    }

    /** Runs for so long. */
    public void run(long millis) {
        long end = nanos + millis * 1_000_000;
        while (!events.isEmpty() && events.peek().nanos() <= end) {
            step();
        }
        nanos = end;
    }

    /** Runs until {@code condition} holds, and returns after how many milliseconds it did. */
    public long until(String what, long withinMillis, BooleanSupplier condition) {
        long start = nanos;
        long end = nanos + withinMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (events.isEmpty() || events.peek().nanos() > end) {
                throw new AssertionError("Not within " + withinMillis + " ms: " + what + " (seed " + seed + ")");
            }
            step();
        }
        return (nanos - start) / 1_000_000;
    }

    private void step() {
        Event event = events.remove();
        nanos = Math.max(nanos, event.nanos());
        event.owner().receive(event.task());
    }
}
