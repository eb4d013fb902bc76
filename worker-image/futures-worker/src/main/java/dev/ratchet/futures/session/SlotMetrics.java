/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.membership.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The figures of each resource that a worker has had slots of: names come while it runs, and stay. */
public final class SlotMetrics {

    private final SessionHolder holder;
    private final Set<String> known = new TreeSet<>();

    public SlotMetrics(SessionHolder holder) {
        this.holder = holder;
    }

    /** Those of resources that have come since the last call. */
    public synchronized List<Metric> appeared() {
        List<Metric> appeared = new ArrayList<>();
        for (String resource : holder.capacity().keySet()) {
            if (known.add(resource)) {
                appeared.add(gauge("session_slots", "Slots that there are", resource, holder::capacity));
                appeared.add(gauge("session_slots_held", "Slots that sessions hold", resource, holder::heldSlots));
                appeared.add(gauge(
                        "sessions_waiting",
                        "Sessions that wait for a slot, as this worker last saw",
                        resource,
                        holder::waiting));
            }
        }
        return appeared;
    }

    private static Metric gauge(String name, String help, String resource, Supplier<Map<String, Integer>> counts) {
        return Metric.gauge(name, help, () -> counts.get().getOrDefault(resource, 0))
                .tagged("resource", resource);
    }
}
