/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.LoosePart;
import dev.ratchet.circuits.batch.LooseRows;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Brings rows to the lane that owns the hash of their key: each lane leaves for each lane a slice of its batch or, of
 * rows in no order, which of them are for it, and takes what the others left for it after the barrier. Rows in no order
 * are copied once, by who takes them; a lane that is alone hands on what it has. The sum over all lanes is the same on
 * both sides (law L26).
 */
public final class Exchange {

    private Exchange() {}

    /** The half that gives: it leaves the rows of a node for the lanes that own their keys. */
    public static Node send(Node input) {
        return new Node("send", "", List.of(input), input.schema(), Send::new);
    }

    /** The half that takes, of what all lanes have sent. */
    public static Node receive(Node send) {
        return new Node("exchange", "", List.of(send), send.schema(), Receive::new)
                .afterBarrier()
                .shownAs(() -> ShownSql.byKey(send.schema()));
    }

    /**
     * What each lane has left for each lane: batches by who takes and who leaves, parts by who leaves and who takes.
     */
    private record Slots(Batch[][] batches, LoosePart[][] parts) {

        static Slots of(RowSchema schema, int lanes) {
            Batch[][] batches = new Batch[lanes][lanes];
            for (Batch[] lane : batches) {
                Arrays.fill(lane, Batch.empty(schema));
            }
            LoosePart[][] parts = new LoosePart[lanes][lanes];
            for (LoosePart[] lane : parts) {
                Arrays.setAll(lane, part -> new LoosePart());
            }
            return new Slots(batches, parts);
        }
    }

    private static final class Send extends Operator {
        private final LaneContext context;
        private final Batch nothing;
        private final Slots slots;
        private final LoosePart[] parts;
        private final List<HashRange> ranges;
        private final int[] owners;

        Send(LaneContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.context = context;
            this.nothing = Batch.empty(schema());
            this.slots = context.shared(lanes -> Slots.of(schema(), lanes));
            this.parts = slots.parts[context.lane()];
            this.owners = Sharding.owners(context.lanes());
            this.ranges = IntStream.range(0, context.lanes())
                    .mapToObj(lane -> Sharding.range(lane, context.lanes()))
                    .toList();
        }

        @Override
        protected void evaluate() {
            if (context.lanes() == 1) {
                forward(input(0));
                return;
            }
            LooseRows loose = input(0).looseOutput();
            if (loose != null) {
                loose.split(owners, parts);
                return;
            }
            for (int lane = 0; lane < context.lanes(); lane++) {
                slots.batches[lane][context.lane()] = input(0).output().slice(ranges.get(lane));
            }
        }

        @Override
        protected void clear() {
            super.clear();
            for (int lane = 0; lane < context.lanes(); lane++) {
                slots.batches[lane][context.lane()] = nothing;
                parts[lane].clear();
            }
        }
    }

    private static final class Receive extends Operator {
        private final boolean alone;
        private final Batch[] batches;
        private final LoosePart[] parts;
        private final BatchBuilder builder;

        Receive(LaneContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.alone = context.lanes() == 1;
            Slots slots = ((Send) inputs.get(0)).slots;
            this.batches = slots.batches[context.lane()];
            this.parts = new LoosePart[context.lanes()];
            Arrays.setAll(parts, lane -> slots.parts[lane][context.lane()]);
            this.builder = new BatchBuilder(schema());
        }

        @Override
        protected boolean wanted() {
            if (alone) {
                return super.wanted();
            }
            for (int lane = 0; lane < parts.length; lane++) {
                if (!batches[lane].isEmpty() || !parts[lane].isEmpty()) {
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
            boolean isLoose = false;
            List<Batch> filled = new ArrayList<>();
            for (int lane = 0; lane < parts.length; lane++) {
                if (!parts[lane].isEmpty()) {
                    isLoose = true;
                    builder.addAll(parts[lane]);
                }
                if (!batches[lane].isEmpty()) {
                    filled.add(batches[lane]);
                }
            }
            if (!isLoose) {
                emit(BatchMerge.merge(schema(), filled));
                return;
            }
            for (Batch batch : filled) {
                for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
                    builder.addRow(row, row.hash(), row.weight());
                }
            }
            emit(builder.loose());
        }
    }
}
