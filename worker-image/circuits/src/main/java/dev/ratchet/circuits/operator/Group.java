/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.function.Supplier;

/**
 * A function of whole groups over one or more arrangements with equal keys: for each key that changed, the result of
 * the group now less the result before. It keeps nothing; what it reads is up to the function, which stops where it has
 * seen enough.
 */
public final class Group extends Operator {

    private final GroupFunction function;
    private final Arrange[] sides;
    private final MergedCursor[] before;
    private final MergedCursor[] after;
    private final RowPipe pipe;

    private Group(GroupFunction function, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.function = function;
        this.sides = inputs.stream().map(Arrange.class::cast).toArray(Arrange[]::new);
        this.before = new MergedCursor[sides.length];
        this.after = new MergedCursor[sides.length];
        this.pipe = new RowPipe(List.of(), target);
    }

    static Node of(
            String kind,
            String description,
            Supplier<GroupFunction> function,
            List<Node> arrangements,
            RowSchema target) {
        return new Node(
                kind,
                description,
                arrangements,
                target,
                (context, inputs) -> context.nested()
                        ? new NestedGroup(function.get(), context, target, inputs)
                        : new Group(function.get(), target, inputs));
    }

    @Override
    protected void evaluate() {
        for (int side = 0; side < sides.length; side++) {
            before[side] = sides[side].probeBefore();
            after[side] = sides[side].probeAfter();
        }
        for (int side = 0; side < sides.length; side++) {
            KeyWalk keys = new KeyWalk(sides[side].output());
            while (keys.next()) {
                if (!changedBefore(side, keys)) {
                    regroup(keys);
                }
            }
        }
        for (int side = 0; side < sides.length; side++) {
            count(before[side]);
            count(after[side]);
        }
        emit(pipe.build());
    }

    private boolean changedBefore(int side, KeyWalk keys) {
        for (int earlier = 0; earlier < side; earlier++) {
            if (sides[earlier].output().probe().seekKey(keys.hash(), keys.key())) {
                return true;
            }
        }
        return false;
    }

    private void regroup(KeyWalk keys) {
        for (int side = 0; side < sides.length; side++) {
            before[side].seekKey(keys.hash(), keys.key());
            after[side].seekKey(keys.hash(), keys.key());
        }
        function.apply(before, (result, weight) -> pipe.push(result, -weight));
        function.apply(after, pipe);
    }
}
