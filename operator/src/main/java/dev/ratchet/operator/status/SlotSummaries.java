/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.operator.observe.WorkerReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums up what workers say of the slots that sessions take. Holds no state. */
public final class SlotSummaries {
    private SlotSummaries() {}

    /**
     * Of all these workers together. A session that waits is told of by each worker that has looked, so the greatest
     * number counts and not the sum.
     */
    public static List<SlotSummary> of(Collection<WorkerReport> workers) {
        Map<String, SlotSummary> all = new TreeMap<>();
        for (WorkerReport worker : workers) {
            for (WorkerReport.Slots slots : worker.slots()) {
                SlotSummary summary = all.computeIfAbsent(slots.name(), SlotSummaries::named);
                summary.capacity = Math.addExact(summary.capacity, Math.toIntExact(slots.capacity()));
                summary.held = Math.addExact(summary.held, Math.toIntExact(slots.held()));
                summary.waiting = Math.max(summary.waiting, Math.toIntExact(slots.waiting()));
            }
        }
        return new ArrayList<>(all.values());
    }

    /** Names of slots for which sessions wait although no worker has any, in their order. */
    public static List<String> missing(List<SlotSummary> summaries) {
        return summaries.stream()
                .filter(one -> one.capacity == 0 && one.waiting > 0)
                .map(one -> one.name)
                .sorted()
                .toList();
    }

    /** As text that can be compared. */
    static String text(List<SlotSummary> summaries) {
        StringBuilder text = new StringBuilder();
        summaries.forEach(one -> text.append(one.name)
                .append(' ')
                .append(one.capacity)
                .append(' ')
                .append(one.held)
                .append(' ')
                .append(one.waiting)
                .append(';'));
        return text.toString();
    }

    private static SlotSummary named(String name) {
        SlotSummary summary = new SlotSummary();
        summary.name = name;
        return summary;
    }
}
