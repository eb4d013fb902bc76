/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Iteration;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import java.util.List;
import java.util.TreeMap;

/**
 * A {@link GroupFunction} inside of a recursion. What it gives is the change between steps of the change between
 * iterations: with F(i) the function of what came up to iteration i, now and before the step,
 *
 * <pre>F_now(i) − F_now(i − 1) − F_before(i) + F_before(i − 1)</pre>
 *
 * A key that changed in an iteration may give another result in every later iteration in which it has rows, now or
 * before; it is looked at again in the next of these.
 */
final class NestedGroup extends Operator {

    private final GroupFunction function;
    private final Iteration iteration;
    private final Arrange[] sides;
    private final RowSchema keySchema;
    private final Storage[] keyStorages;
    private final TreeMap<Integer, BatchBuilder> later = new TreeMap<>();
    private final RowPipe pipe;

    NestedGroup(GroupFunction function, WorkerThreadContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.function = function;
        this.iteration = context.iteration();
        this.sides = inputs.stream().map(Arrange.class::cast).toArray(Arrange[]::new);
        this.keySchema = new RowSchema(sides[0].output().schema().key(), List.of());
        this.keyStorages = keySchema.storages();
        this.pipe = new RowPipe(List.of(), target);
    }

    @Override
    protected boolean wanted() {
        return super.wanted() || nextIteration() == iteration.number();
    }

    @Override
    protected int nextIteration() {
        return later.isEmpty() ? Integer.MAX_VALUE : later.firstKey();
    }

    @Override
    protected void evaluate() {
        int now = iteration.number();
        BatchBuilder due = later.remove(now);
        BatchBuilder keys = due == null ? new BatchBuilder(keySchema) : due;
        for (Arrange side : sides) {
            KeyWalk changed = new KeyWalk(side.output());
            while (changed.next()) {
                add(keys, changed.hash(), changed.key());
            }
        }
        MergedCursor[] after = new MergedCursor[sides.length];
        MergedCursor[] before = new MergedCursor[sides.length];
        for (int side = 0; side < sides.length; side++) {
            after[side] = sides[side].probeAfter();
            before[side] = sides[side].probeBeforeStep();
        }
        KeyWalk walk = new KeyWalk(keys.build());
        while (walk.next()) {
            apply(after, walk, now, 1);
            apply(after, walk, now - 1, -1);
            apply(before, walk, now, -1);
            apply(before, walk, now - 1, 1);
            int next = Math.min(iterationAfter(after, walk, now), iterationAfter(before, walk, now));
            if (next < Integer.MAX_VALUE) {
                add(later.computeIfAbsent(next, at -> new BatchBuilder(keySchema)), walk.hash(), walk.key());
            }
        }
        for (int side = 0; side < sides.length; side++) {
            count(before[side]);
            count(after[side]);
        }
        emit(pipe.give());
    }

    private void add(BatchBuilder keys, long hash, RowView key) {
        for (int column = 0; column < keyStorages.length; column++) {
            keys.copy(column, keyStorages[column], key, column);
        }
        keys.add(1, hash);
    }

    private void apply(MergedCursor[] rows, KeyWalk key, int last, int sign) {
        IterationCursor[] inputs = new IterationCursor[rows.length];
        for (int side = 0; side < rows.length; side++) {
            inputs[side] = new IterationCursor(rows[side], sides[side].trace().schema());
            inputs[side].seekKey(key.hash(), key.key(), last);
        }
        function.apply(inputs, new RowSink() {
            @Override
            public void push(RowView row, long weight) {
                pipe.push(row, sign * weight);
            }

            @Override
            public void fail(RuntimeException failure, String row, long weight) {
                NestedGroup.this.fail(failure, row, sign * weight);
            }
        });
    }

    /** The first iteration over this one in which the key has rows. */
    private int iterationAfter(MergedCursor[] rows, KeyWalk key, int now) {
        int next = Integer.MAX_VALUE;
        for (int side = 0; side < rows.length; side++) {
            for (rows[side].seekKey(key.hash(), key.key()); rows[side].valid(); rows[side].next()) {
                int at = sides[side].iterationOf(rows[side]);
                next = at > now ? Math.min(next, at) : next;
            }
        }
        return next;
    }
}
