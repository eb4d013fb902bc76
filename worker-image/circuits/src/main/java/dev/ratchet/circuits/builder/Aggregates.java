/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.Aggregate;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateFunction;
import dev.ratchet.circuits.operator.Arrange;
import dev.ratchet.circuits.operator.DistinctFlags;
import dev.ratchet.circuits.operator.DistinctValues;
import dev.ratchet.circuits.operator.PartialAggregate;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.Retention;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Puts together the operators of one aggregation: rows by group, what single calls need on top, the aggregate. */
final class Aggregates {

    private final Stream input;
    private final List<Integer> taken;
    private final int keyCount;
    private final Aggregate.Spec spec;

    Aggregates(Stream input, List<Integer> group, List<AggregateCall> calls) {
        this.input = input;
        this.taken = new ArrayList<>(group);
        this.keyCount = group.size();
        List<AggregateCall> moved =
                calls.stream().map(call -> call.moved(this::take)).toList();
        List<ColumnType> types = taken.stream().map(input.columns()::get).toList();
        boolean nested = input.nodes().isRecursion();
        List<Integer> rising = IntStream.range(keyCount, taken.size())
                .filter(place -> !nested && input.rising().risesWithin(group, taken.get(place)))
                .boxed()
                .toList();
        this.spec = new Aggregate.Spec(types, keyCount, moved, input.isAppendOnly() && !nested, rising);
    }

    private int take(int column) {
        int at = taken.indexOf(column);
        if (at < 0) {
            at = taken.size();
            taken.add(column);
        }
        return at;
    }

    Stream build() {
        Nodes nodes = input.nodes();
        if (!spec.distincts().isEmpty() && input.stages().stream().anyMatch(PipeStage.Map.class::isInstance)) {
            // What is computed for several readers is computed once.
            input.node();
        }
        RowSchema schema = new RowSchema(
                spec.input().subList(0, keyCount),
                spec.input().subList(keyCount, spec.input().size()));
        boolean nested = nodes.isRecursion();
        if (nested && keyCount == 0) {
            throw new IllegalArgumentException(
                    "An aggregate of all rows inside a recursion; group by a column, or aggregate what it returns");
        }
        Node taking = Panes.grouped(input, taken, schema);
        Node grouped = spec.isOfPartials()
                ? nodes.exchange(PartialAggregate.ofRows(spec, taking), schema)
                : nodes.exchange(taking);
        Retention retention = new Retention();
        Bounds bounds = input.bounds().selected(taken.subList(0, keyCount));
        bounds.restrict(retention, IntStream.range(0, keyCount).boxed().toList());
        List<Node> inputs =
                new ArrayList<>(List.of(nested ? nodes.add(Arrange.of(grouped, retention, false)) : grouped));
        Stream rows = new Stream(nodes, grouped, List.of(), spec.input());
        for (AggregateCall call : spec.calls()) {
            List<PipeStage> stages = Aggregate.stagesOf(spec, call);
            if (!stages.isEmpty() && (nested || !Aggregate.isDistinct(call))) {
                inputs.add(nodes.add(Arrange.of(rows.piped(stages, Aggregate.schemaOf(spec, call)), retention, false)));
            }
        }
        if (!nested) {
            spec.distincts().forEach(values -> inputs.add(valuesOf(values, retention)));
        }
        List<ColumnType> output = spec.output();
        Node aggregate = nested
                ? AggregateFunction.of(spec, inputs)
                : Aggregate.of(spec, retention, inputs, new RowSchema(output, List.of()));
        return input.of(aggregate.placedBy(List.of(Stream.columns(keyCount))), output)
                .bounded(bounds)
                .rising(nested ? Rising.NONE : Rising.ofGroups(spec));
    }

    /** What changes of the distinct values of a column, in the worker threads that own their groups. */
    private Node valuesOf(DistinctValues values, Retention retention) {
        Nodes nodes = input.nodes();
        List<PipeStage> stages = new ArrayList<>(List.of(new PipeStage.Project(taken)));
        stages.addAll(values.stages(spec));
        Node rows = nodes.exchange(input.piped(stages, values.rows(spec)));
        Node changes = nodes.add(DistinctFlags.of(values, spec, retention, rows));
        return spec.isOfPartials()
                ? nodes.exchange(PartialAggregate.ofValues(spec, values, changes), changes.schema())
                : nodes.exchange(changes);
    }
}
