/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.Arrange;
import dev.ratchet.circuits.operator.Bound;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.Retention;
import dev.ratchet.circuits.operator.SessionAggregate;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the node of {@link Stream#sessions} was made of, so that an aggregation of whole sessions can be made of the
 * same rows without each of them carrying its session: the usual query, at a small part of the cost.
 */
record SessionSource(Stream source, List<Integer> keys, int time, long gap) implements Node.Detail {

    /** The aggregation as one of sessions; null where it is none. */
    static @Nullable Stream aggregate(Stream input, List<Integer> group, List<AggregateCall> calls) {
        List<Integer> columns = projected(input.base(), input.stages());
        return columns != null && input.base().detail() instanceof SessionSource sessions
                ? sessions.aggregate(input, columns, group, calls)
                : null;
    }

    /** For each column after some projections that of the node before them; null where there is something else. */
    private static @Nullable List<Integer> projected(Node base, List<PipeStage> stages) {
        List<Integer> columns =
                IntStream.range(0, base.schema().columnCount()).boxed().toList();
        for (PipeStage stage : stages) {
            if (!(stage instanceof PipeStage.Project project)) {
                return null;
            }
            columns = project.columns().stream().map(columns::get).toList();
        }
        return columns;
    }

    private @Nullable Stream aggregate(
            Stream input, List<Integer> columns, List<Integer> group, List<AggregateCall> calls) {
        int width = source.columns().size();
        List<Integer> places = new ArrayList<>();
        for (int column : group) {
            int of = columns.get(column);
            places.add(of < width ? keys.indexOf(of) : keys.size() + of - width);
        }
        boolean isOfSessions = !places.contains(-1)
                && new HashSet<>(places)
                        .containsAll(IntStream.range(0, keys.size()).boxed().toList())
                && places.stream().anyMatch(place -> place >= keys.size());
        boolean isMergeable = calls.stream()
                .allMatch(call -> SessionAggregate.Spec.isMergeable(call) && readsBelow(call, columns, width));
        if (!isOfSessions || !isMergeable || input.nodes().isRecursion()) {
            return null;
        }
        List<Integer> taken = new ArrayList<>(keys);
        taken.add(time);
        List<AggregateCall> moved = calls.stream()
                .map(call -> call.moved(column -> take(taken, columns.get(column))))
                .toList();
        return made(input, taken, new Rows(places, moved))
                .bounded(input.bounds().selected(group));
    }

    /** Where the columns of the result come from. */
    private record Rows(List<Integer> group, List<AggregateCall> calls) {}

    private static int take(List<Integer> taken, int column) {
        // Columns of the key and the time may be read, too, but are found behind them.
        int at = taken.indexOf(column);
        if (at < 0) {
            at = taken.size();
            taken.add(column);
        }
        return at;
    }

    private static boolean readsBelow(AggregateCall call, List<Integer> columns, int width) {
        boolean[] below = {true};
        call.moved(column -> {
            below[0] &= columns.get(column) < width;
            return column;
        });
        return below[0];
    }

    private Stream made(Stream input, List<Integer> taken, Rows rows) {
        List<ColumnType> types = new ArrayList<>();
        taken.forEach(column -> types.add(source.columns().get(column)));
        types.set(keys.size(), types.get(keys.size()).withNullable(false));
        SessionAggregate.Spec spec =
                new SessionAggregate.Spec(List.copyOf(types), keys.size(), gap, rows.group, rows.calls);
        Retention retention = new Retention();
        Bound bound = source.bounds().of(time);
        if (bound == null) {
            retention.keepForever();
        } else {
            // A session that ends before the earliest time that may still come is over.
            retention.keepFrom(keys.size(), bound);
        }
        RowSchema byKey = new RowSchema(types.subList(0, keys.size()), types.subList(keys.size(), types.size()));
        Node timed = source.withoutNulls(List.of(time)).piped(List.of(new PipeStage.Project(taken)), byKey);
        Nodes nodes = input.nodes();
        Node placed = nodes.exchange(timed);
        if (!source.isAppendOnly()) {
            Retention ofRows = new Retention();
            source.bounds()
                    .selected(keys)
                    .restrict(ofRows, IntStream.range(0, keys.size()).boxed().toList());
            placed = nodes.add(Arrange.of(placed, ofRows, false));
        }
        return input.of(SessionAggregate.of(spec, retention, placed), spec.output());
    }
}
