/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings rows to the lane that owns the hash of their key: each lane leaves one slice of its batch for each lane, and
 * takes what the others left for it after the barrier. Nothing is copied but where slices of several lanes are merged,
 * and a lane that is alone hands on what it has. The sum over all lanes is the same on both sides (law L26).
 */
public final class Exchange {

    private Exchange() {}

    /** The half that gives: it leaves the rows of a node for the lanes that own their keys. */
    public static Node send(Node input) {
        return new Node("send", "", List.of(input), input.schema(), Send::new);
    }

    /** The half that takes, of what all lanes have sent. */
    public static Node receive(Node send) {
        return new Node("exchange", "", List.of(send), send.schema(), Receive::new).afterBarrier();
    }

    private static Batch[][] slots(RowSchema schema, int lanes) {
        Batch[][] slots = new Batch[lanes][lanes];
        for (Batch[] lane : slots) {
            Arrays.fill(lane, Batch.empty(schema));
        }
        return slots;
    }

    private static final class Send extends Operator {
        private final LaneContext context;
        private final Batch nothing;
        private final Batch[][] slots;

        Send(LaneContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.context = context;
            this.nothing = Batch.empty(schema());
            this.slots = context.shared(lanes -> slots(schema(), lanes));
        }

        @Override
        protected void evaluate() {
            if (context.lanes() == 1) {
                forward(input(0));
                return;
            }
            Batch batch = input(0).output();
            for (int lane = 0; lane < context.lanes(); lane++) {
                slots[lane][context.lane()] = batch.slice(Sharding.range(lane, context.lanes()));
            }
        }

        @Override
        protected void clear() {
            super.clear();
            for (Batch[] lane : slots) {
                lane[context.lane()] = nothing;
            }
        }
    }

    private static final class Receive extends Operator {
        private final boolean alone;
        private final Batch[] left;

        Receive(LaneContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.alone = context.lanes() == 1;
            this.left = ((Send) inputs.get(0)).slots[context.lane()];
        }

        @Override
        protected boolean wanted() {
            if (alone) {
                return super.wanted();
            }
            for (Batch batch : left) {
                if (!batch.isEmpty()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        protected void evaluate() {
            if (alone) {
                forward(input(0));
                return;
            }
            List<Batch> filled = new ArrayList<>(left.length);
            for (Batch batch : left) {
                if (!batch.isEmpty()) {
                    filled.add(batch);
                }
            }
            emit(BatchMerge.merge(schema(), filled));
        }
    }
}
