/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.Bound;
import dev.ratchet.circuits.operator.Monotone;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.Retention;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which columns of a stream have a bound below which no change will come any more. Immutable. */
record Bounds(Map<Integer, Bound> columns) {

    static final Bounds NONE = new Bounds(Map.of());

    Bounds {
        columns = Map.copyOf(columns);
    }

    @Nullable
    Bound of(int column) {
        return columns.get(column);
    }

    /** After a stage that is run over the rows. */
    Bounds through(PipeStage stage) {
        return switch (stage) {
            case PipeStage.Filter filter -> this;
            case PipeStage.Weigh weigh -> this;
            case PipeStage.Project project -> selected(project.columns());
            case PipeStage.Map map -> through(map.mapper().monotone());
            case PipeStage.Expand expand -> through(expand.expander().monotone());
        };
    }

    private Bounds through(List<Monotone> monotone) {
        Map<Integer, Bound> result = new HashMap<>();
        for (Monotone rising : monotone) {
            Bound bound = columns.get(rising.from());
            if (bound != null) {
                result.put(rising.column(), bound.map(rising.bound()));
            }
        }
        return new Bounds(result);
    }

    /** Of rows that have so many columns more in front. */
    Bounds behind(int more) {
        Map<Integer, Bound> result = new HashMap<>();
        columns.forEach((column, bound) -> result.put(column + more, bound));
        return new Bounds(result);
    }

    /** Of rows made of some of the columns. */
    Bounds selected(List<Integer> of) {
        Map<Integer, Bound> result = new HashMap<>();
        for (int column = 0; column < of.size(); column++) {
            Bound bound = columns.get(of.get(column));
            if (bound != null) {
                result.put(column, bound);
            }
        }
        return new Bounds(result);
    }

    /** Of these columns alone, where they are. */
    Bounds only(List<Integer> wanted) {
        Map<Integer, Bound> result = new HashMap<>(columns);
        result.keySet().retainAll(wanted);
        return new Bounds(result);
    }

    /** Of rows that come from either of two streams. */
    Bounds or(Bounds other) {
        Map<Integer, Bound> result = new HashMap<>();
        columns.forEach((column, bound) -> {
            Bound theirs = other.columns.get(column);
            if (theirs != null) {
                result.put(column, bound.or(theirs));
            }
        });
        return new Bounds(result);
    }

    /** Adds to what must be remembered a reader that comes only to rows like those of this stream. */
    void restrict(Retention retention, List<Integer> places) {
        if (columns.isEmpty()) {
            retention.keepForever();
        } else {
            Map.Entry<Integer, Bound> first = new TreeMap<>(columns).firstEntry();
            retention.keepFrom(places.get(first.getKey()), first.getValue());
        }
    }
}
