/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BlockCache;
import dev.ratchet.circuits.batch.HashRange;
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
    private final Map<HashRange, Trace> taken = new LinkedHashMap<>();
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

    Trace take(RowSchema wanted, HashRange range, TraceSettings settings) {
        if (!wanted.equals(schema)) {
            throw new IllegalArgumentException(
                    "Table " + name + " has rows of " + schema + ", not " + wanted + "; its program has changed");
        }
        for (HashRange other : taken.keySet()) {
            if (other.intersect(range) != null) {
                throw new IllegalArgumentException(
                        "Table " + name + " was asked for hashes " + range + ", of which " + other + " were given");
            }
        }
        Trace trace = new Trace(schema, settings);
        for (Fragment fragment : cut(range)) {
            trace.restore(rows(fragment), fragment);
        }
        taken.put(range, trace);
        return trace;
    }

    /** Takes the fragments of a range out of the rest. */
    private List<Fragment> cut(HashRange range) {
        List<Fragment> inside = new ArrayList<>();
        List<Fragment> outside = new ArrayList<>();
        for (Fragment fragment : rest) {
            add(inside, fragment, range);
            HashRange.ALL.minus(range).forEach(part -> add(outside, fragment, part));
        }
        rest = outside;
        return inside;
    }

    private static void add(List<Fragment> list, Fragment fragment, HashRange range) {
        Fragment slice = fragment.slice(range);
        if (slice != null) {
            list.add(slice);
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
        List<HashRange> untaken = List.of(HashRange.ALL);
        for (Map.Entry<HashRange, Trace> entry : taken.entrySet()) {
            Batch slice = rows.slice(entry.getKey());
            entry.getValue().restore(slice, Fragment.fresh(slice));
            untaken = untaken.stream()
                    .flatMap(range -> range.minus(entry.getKey()).stream())
                    .toList();
        }
        for (HashRange range : untaken) {
            Batch slice = rows.slice(range);
            if (!slice.isEmpty()) {
                rest.add(Fragment.fresh(slice));
            }
        }
    }

    void drop(HashRange range) {
        taken.values().forEach(trace -> trace.drop(range));
        cut(range);
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
