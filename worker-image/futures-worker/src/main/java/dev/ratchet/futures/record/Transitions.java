/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import dev.ratchet.futures.lifecycle.Event;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often each step in the life of a future was committed by this process: whichever part of it decided the step, it
 * is counted here, for each future of a block. A commit whose outcome became known only by its repetition is not
 * counted. Safe for use by several threads.
 */
public final class Transitions {

    private final Map<Event, LongAdder> counters = new EnumMap<>(Event.class);

    Transitions() {
        for (Event event : Event.values()) {
            counters.put(event, new LongAdder());
        }
    }

    /** How often that has happened. */
    public long count(Event event) {
        LongAdder counter = counters.get(event);
        return counter == null ? 0 : counter.sum();
    }

    void add(List<LoadedFuture.Step> steps) {
        steps.forEach(step -> {
            LongAdder counter = counters.get(step.event());
            if (counter != null) {
                counter.add(step.futures());
            }
        });
    }
}
