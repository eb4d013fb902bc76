/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BlockCache;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Fragment;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table of the open version: the traces that were taken of it by ranges of hashes, and the fragments of the rest. */
final class StateTable {

    private final String name;
    private final RowSchema schema;
    private final BlockCache cache;
    private final Map<HashRanges, Trace> taken = new LinkedHashMap<>();
    private List<Fragment> rest;

    StateTable(String name, RowSchema schema, BlockCache cache, List<Fragment> fragments) {
        this.name = name;
        this.schema = schema;
        this.cache = cache;
        this.rest = fragments;
    }

    RowSchema schema() {
        return schema;
    }

    boolean isTaken() {
        return !taken.isEmpty();
    }

    Trace take(RowSchema wanted, HashRanges ranges, TraceSettings settings) {
        if (!wanted.equals(schema)) {
            throw new IllegalArgumentException(
                    "Table " + name + " has rows of " + schema + ", not " + wanted + "; its program has changed");
        }
        for (HashRanges other : taken.keySet()) {
            HashRanges both = other.intersect(ranges);
            if (!both.isEmpty()) {
                throw new IllegalArgumentException(
                        "Table " + name + " was asked for hashes " + ranges + ", of which " + both + " were given");
            }
        }
        Trace trace = new Trace(schema, settings);
        for (Fragment fragment : cut(ranges)) {
            trace.restore(rows(fragment), fragment);
        }
        taken.put(ranges, trace);
        return trace;
    }

    /** Takes the fragments of some ranges out of the rest. */
    private List<Fragment> cut(HashRanges ranges) {
        HashRanges others = ranges.complement();
        List<Fragment> inside = new ArrayList<>();
        List<Fragment> outside = new ArrayList<>();
        for (Fragment fragment : rest) {
            add(inside, fragment, ranges);
            add(outside, fragment, others);
        }
        rest = outside;
        return inside;
    }

    private static void add(List<Fragment> list, Fragment fragment, HashRanges ranges) {
        for (HashRange range : ranges.intersect(fragment.range()).ranges()) {
            Fragment slice = fragment.slice(range);
            if (slice != null) {
                list.add(slice);
            }
        }
    }

    private Batch rows(Fragment fragment) {
        Fragment.Stored place = fragment.place();
        return place == null
                ? fragment.rows()
                : BatchFormat.openLater(place.at(), cache, schema, place.rows()).slice(place.range());
    }

    /** All that a commit has to know of. */
    List<Fragment> fragments() {
        List<Fragment> fragments = new ArrayList<>(rest);
        taken.values().forEach(trace -> fragments.addAll(trace.fragments()));
        return fragments;
    }

    /** Slices of all batches in a range; their sum is the rows there. */
    List<Batch> slices(HashRange range) {
        List<Batch> slices = new ArrayList<>();
        taken.values().forEach(trace -> trace.batches().forEach(batch -> slices.add(batch.slice(range))));
        for (Fragment fragment : rest) {
            Fragment slice = fragment.slice(range);
            if (slice != null) {
                slices.add(rows(slice));
            }
        }
        slices.removeIf(Batch::isEmpty);
        return slices;
    }

    /** Adds rows from elsewhere, which lie in no file of this database. */
    void add(Batch rows) {
        HashRanges untaken = HashRanges.ALL;
        for (Map.Entry<HashRanges, Trace> entry : taken.entrySet()) {
            for (HashRange range : entry.getKey().ranges()) {
                Batch slice = rows.slice(range);
                entry.getValue().restore(slice, Fragment.fresh(slice));
            }
            untaken = untaken.minus(entry.getKey());
        }
        for (HashRange range : untaken.ranges()) {
            Batch slice = rows.slice(range);
            if (!slice.isEmpty()) {
                rest.add(Fragment.fresh(slice));
            }
        }
    }

    void drop(HashRange range) {
        taken.values().forEach(trace -> trace.drop(range));
        cut(HashRanges.of(range));
    }

    long memoryBytes() {
        return taken.values().stream()
                .mapToLong(trace -> trace.statistics().memoryBytes())
                .sum();
    }

    long rowCount() {
        return slices(HashRange.ALL).stream().mapToLong(Batch::rowCount).sum();
    }
}
