/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Names of what a worker says in its heartbeat of the slots that sessions take, by resource. A worker of an older
 * release says nothing of those that wait.
 */
public final class SlotFigures {

    /** Slots that there are. */
    public static final String CAPACITY = "slots/";

    /** Slots that nobody holds. */
    public static final String FREE = "slots-free/";

    /** Sessions that wait for such a slot, as the worker last saw, be it that it has none. */
    public static final String WAITING = "slots-waiting/";

    private SlotFigures() {}

    /**
     * What was said of each resource.
     *
     * @param capacity slots that there are
     * @param held slots that sessions hold
     * @param waiting sessions that wait for such a slot
     */
    public record Figure(long capacity, long held, long waiting) {}

    /** Reads what a heartbeat said, in the order of names. */
    public static void each(Map<String, Long> said, BiConsumer<String, Figure> each) {
        new TreeMap<>(said).forEach((name, capacity) -> {
            if (name.startsWith(CAPACITY)) {
                String resource = name.substring(CAPACITY.length());
                long free = said.getOrDefault(FREE + resource, 0L);
                each.accept(resource, new Figure(capacity, capacity - free, said.getOrDefault(WAITING + resource, 0L)));
            }
        });
    }
}
