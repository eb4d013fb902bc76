/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.batch.Batch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the processes of a circuit have told of its views, by step: each step the same whoever tells it again, and each
 * row of a view always by the same seat, which owns it. What is told otherwise is kept as a mistake. Not synchronized.
 */
public final class ToldChanges {

    private final Map<String, Map<Long, Map<String, List<String>>>> told = new TreeMap<>();
    private final Map<String, Long> last = new TreeMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final List<String> mistakes = new ArrayList<>();

    /** A seat's share of what a step has changed. */
    public void changes(String seat, String view, long step, Batch batch) {
        List<String> rows = ShownRows.of(batch);
        rows.forEach(row -> owned(seat, view + " " + row.substring(0, row.lastIndexOf(" x"))));
        List<String> before = told.computeIfAbsent(view, name -> new TreeMap<>())
                .computeIfAbsent(step, number -> new TreeMap<>())
                .putIfAbsent(seat, rows);
        if (before != null && !before.equals(rows)) {
            mistake("step " + step + " of " + view + " in " + seat + ": " + before + ", then " + rows);
        } else if (before == null && step <= last(seat, view)) {
            mistake("step " + step + " of " + view + " in " + seat + " changed nothing at first, then " + rows);
        }
        progress(seat, view, step);
    }

    private void owned(String seat, String row) {
        String owner = owners.putIfAbsent(row, seat);
        if (owner != null && !owner.equals(seat)) {
            mistake("row " + row + " was put out by " + owner + ", then by " + seat);
        }
    }

    /** A seat is as far as that, whether or not the step has changed something. */
    public void progress(String seat, String view, long step) {
        last.merge(seat + " " + view, step, Math::max);
    }

    /** Something else that must not be. */
    public void mistake(String what) {
        mistakes.add(what);
    }

    /** What was told that must not be. */
    public List<String> mistakes() {
        return mistakes;
    }

    /** The last step that a seat has told of a view, 0 for none. */
    public long last(String seat, String view) {
        return last.getOrDefault(seat + " " + view, 0L);
    }

    /** The changes of all seats together, of the steps that have some. */
    public Map<Long, List<String>> of(String view) {
        Map<Long, List<String>> all = new TreeMap<>();
        told.getOrDefault(view, Map.of()).forEach((step, shares) -> {
            Map<String, Long> weights = new TreeMap<>();
            shares.values()
                    .forEach(rows -> rows.forEach(row -> {
                        int weight = row.lastIndexOf(" x");
                        weights.merge(row.substring(0, weight), Long.valueOf(row.substring(weight + 2)), Long::sum);
                    }));
            List<String> rows = new ArrayList<>();
            weights.forEach((row, weight) -> {
                if (weight != 0) {
                    rows.add(row + " x" + weight);
                }
            });
            rows.sort(null);
            if (!rows.isEmpty()) {
                all.put(step, rows);
            }
        });
        return all;
    }
}
