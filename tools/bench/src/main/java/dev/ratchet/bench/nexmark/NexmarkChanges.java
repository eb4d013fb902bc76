/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * The changes of a run, in order: events as they come, and between them so many of a hundred that take back an earlier
 * one. What is taken back is drawn evenly from all that is there then. One thread at a time.
 */
public final class NexmarkChanges {

    /** An event that comes with weight 1, or goes with weight −1. */
    public record Change(NexmarkEvent event, int weight) {}

    private final LongFunction<NexmarkEvent> events;
    private final int retractionsPerHundred;
    private final SplittableRandom random;
    private int[] present = new int[1024];
    private int presentCount;
    private int next;

    /** @param retractionsPerHundred 0 for events alone */
    public NexmarkChanges(long seed, int retractionsPerHundred) {
        this(new NexmarkGenerator(seed)::event, seed, retractionsPerHundred);
    }

    /** @param events the event of each number from 0 */
    NexmarkChanges(LongFunction<NexmarkEvent> events, long seed, int retractionsPerHundred) {
        this.events = events;
        this.retractionsPerHundred = retractionsPerHundred;
        this.random = new SplittableRandom(seed);
    }

    /** The next change; there is always one. */
    public Change next() {
        if (presentCount > 0 && random.nextInt(100) < retractionsPerHundred) {
            int place = random.nextInt(presentCount);
            int number = present[place];
            present[place] = present[--presentCount];
            return new Change(events.apply(number), -1);
        }
        if (retractionsPerHundred > 0) {
            if (presentCount == present.length) {
                present = Arrays.copyOf(present, 2 * presentCount);
            }
            present[presentCount++] = next;
        }
        return new Change(events.apply(next++), 1);
    }
}
