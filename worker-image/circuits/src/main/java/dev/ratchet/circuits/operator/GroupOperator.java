/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A function of whole groups over one or more arrangements with equal keys: for each key that changed, the result of
 * the group now less the result before. It keeps nothing; what it reads is up to the function, which stops where it has
 * seen enough.
 */
public final class GroupOperator extends Operator {

    private final GroupFunction function;
    private final @Nullable LocalFunction local;
    private final @Nullable ChangeFunction ofChange;
    private final Arrange[] sides;
    private final MergedCursor[] rows;
    private final MergedCursor[] rowsAfter;
    private final BatchCursor[] changes;
    private final RowPipe pipe;
    private final RowSink takeBack = new Weighed(-1);
    private final RowSink give = new Weighed(1);

    private GroupOperator(GroupFunction function, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.function = function;
        this.local = function instanceof LocalFunction near && near.isLocal() ? near : null;
        this.ofChange = function instanceof ChangeFunction whole ? whole : null;
        this.sides = inputs.stream().map(Arrange.class::cast).toArray(Arrange[]::new);
        this.rows = new MergedCursor[sides.length];
        this.rowsAfter = new MergedCursor[sides.length];
        this.changes = new BatchCursor[sides.length];
        this.pipe = new RowPipe(List.of(), target);
    }

    /** Multiplies weights. */
    private final class Weighed implements RowSink {
        private final int factor;

        Weighed(int factor) {
            this.factor = factor;
        }

        @Override
        public void push(RowView row, long weight) {
            pipe.push(row, factor * weight);
        }

        @Override
        public void fail(RuntimeException failure, String row, long weight) {
            GroupOperator.this.fail(failure, row, factor * weight);
        }
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
                        : new GroupOperator(function.get(), target, inputs));
    }

    @Override
    protected void evaluate() {
        for (int side = 0; side < sides.length; side++) {
            rows[side] = sides[side].probeBefore();
            rowsAfter[side] = local == null ? rows[side] : sides[side].probeAfter();
            changes[side] = sides[side].output().probe();
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
            count(rows[side]);
            if (local != null) {
                count(rowsAfter[side]);
            }
        }
        emit(pipe.give());
    }

    private boolean changedBefore(int side, KeyWalk keys) {
        for (int earlier = 0; earlier < side; earlier++) {
            if (sides[earlier].output().probe().seekKey(keys.hash(), keys.key())) {
                return true;
            }
        }
        return false;
    }

    /** The group as it is now is the group as it was and what changed of it: one seek serves both. */
    private void regroup(KeyWalk keys) {
        seek(rows, keys);
        ChangeFunction whole = ofChange;
        if (whole != null) {
            applyChange(whole, keys);
            return;
        }
        LocalFunction near = local;
        if (near != null && regroupNear(near, keys)) {
            return;
        }
        function.apply(rows, takeBack);
        for (int side = 0; side < sides.length; side++) {
            changes[side].seekKey(keys.hash(), keys.key());
            rows[side].rewind(changes[side]);
        }
        function.apply(rows, give);
    }

    private void applyChange(ChangeFunction whole, KeyWalk keys) {
        BatchCursor change = changes[0];
        change.seekKey(keys.hash(), keys.key());
        // What an order lets go of it lets go by the key, so that one row stands for all.
        if (sides[0].keeps(change)) {
            whole.applyChange(rows[0], change, give);
        }
    }

    /** Does what can be done without the whole group; false where nothing can. */
    private boolean regroupNear(LocalFunction near, KeyWalk keys) {
        @Nullable Change[] nearest = nearest(keys);
        long read = near.applyNear(rows, nearest, takeBack);
        if (read < 0) {
            return false;
        }
        seek(rowsAfter, keys);
        count(read + near.applyNear(rowsAfter, nearest, give));
        return true;
    }

    private static void seek(MergedCursor[] rows, KeyWalk keys) {
        for (MergedCursor side : rows) {
            side.seekKey(keys.hash(), keys.key());
        }
    }

    private @Nullable Change[] nearest(KeyWalk keys) {
        @Nullable Change[] nearest = new Change[sides.length];
        for (int side = 0; side < sides.length; side++) {
            BatchCursor changed = sides[side].output().probe();
            if (changed.seekKey(keys.hash(), keys.key())) {
                nearest[side] = Change.of(sides[side].output().schema(), changed);
            }
        }
        return nearest;
    }
}
