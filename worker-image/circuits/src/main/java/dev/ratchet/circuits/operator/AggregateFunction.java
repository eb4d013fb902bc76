/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates as a function of whole groups, for the inside of recursions: the rows of the group, and for calls with
 * DISTINCT or an order a further input with their rows.
 */
public final class AggregateFunction implements GroupFunction {

    private final Aggregate.Spec spec;
    private final @Nullable Accumulator[] accumulators;
    private final @Nullable OrderedAggregate[] ordered;
    private final OrderedLayout[] layouts;
    private final RowSchema key;
    private final Storage[] storages;
    private final RowBuffer result;

    private AggregateFunction(Aggregate.Spec spec) {
        this.spec = spec;
        int calls = spec.calls().size();
        this.accumulators = new Accumulator[calls];
        this.ordered = new OrderedAggregate[calls];
        this.layouts = new OrderedLayout[calls];
        for (int i = 0; i < calls; i++) {
            AggregateCall call = spec.calls().get(i);
            if (!call.kind().isLinear()) {
                List<ColumnType> arranged = Aggregate.arranged(spec, call);
                layouts[i] = OrderedAggregate.layout(call, arranged, spec.keyCount());
                ordered[i] = new OrderedAggregate(call, arranged, spec.keyCount() + i);
            } else if (call.distinct()) {
                accumulators[i] =
                        Accumulator.of(Aggregate.onDistinct(call, spec.keyCount()), Aggregate.arranged(spec, call));
            } else {
                accumulators[i] = Accumulator.of(call, spec.input());
            }
        }
        this.key = new RowSchema(spec.input().subList(0, spec.keyCount()), List.of());
        this.storages = key.storages();
        this.result = new RowBuffer(spec.keyCount() + calls);
    }

    /**
     * Aggregates arrangements.
     *
     * @param arrangements the rows by group, then one for each call that reads an input of its own
     */
    public static Node of(Aggregate.Spec spec, List<Node> arrangements) {
        List<ColumnType> output = new ArrayList<>(spec.output());
        Node node = GroupOperator.of(
                        "aggregate",
                        spec.calls().toString(),
                        () -> new AggregateFunction(spec),
                        arrangements,
                        new RowSchema(output, List.of()))
                .shownAs(spec::text);
        return spec.calls().stream().allMatch(AggregateCall::isTotal) ? node : node.failing();
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        Cursor rows = inputs[0];
        if (!rows.valid()) {
            return;
        }
        for (int column = 0; column < storages.length; column++) {
            result.copy(column, storages[column], rows, column);
        }
        for (Accumulator accumulator : accumulators) {
            if (accumulator != null) {
                accumulator.clear();
            }
        }
        long count = 0;
        for (; rows.valid(); rows.next()) {
            count = Math.addExact(count, rows.weight());
            for (int i = 0; i < accumulators.length; i++) {
                Accumulator accumulator = accumulators[i];
                if (accumulator != null && !spec.calls().get(i).distinct()) {
                    accumulator.add(rows, rows.weight());
                }
            }
        }
        if (count > 0) {
            try {
                finish(inputs);
            } catch (ArithmeticException e) {
                out.fail(e, Rows.groupText(key, result), 1);
                return;
            }
            out.push(result, 1);
        }
    }

    private void finish(Cursor[] inputs) {
        int next = 1;
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            OrderedAggregate inOrder = ordered[i];
            if (accumulator != null) {
                if (spec.calls().get(i).distinct()) {
                    Cursor own = inputs[next++];
                    for (; own.valid(); own.next()) {
                        accumulator.add(own, own.weight() > 0 ? 1 : 0);
                    }
                }
                accumulator.result(result, spec.keyCount() + i);
            } else if (inOrder != null) {
                Cursor own = inputs[next++];
                inOrder.result(own, layouts[i].view(own), result);
            }
        }
    }
}
