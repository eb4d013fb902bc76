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
 * Brings rows to the worker thread that owns the hash of their key: each worker thread leaves for each worker thread a
 * slice of its batch or, of rows in no order, which of them are for it, and takes what the others left for it after the
 * barrier. Rows in no order are copied once, by who takes them; a worker thread that is alone hands on what it has. The
 * sum over all worker threads is the same on both sides (law L26).
 */
public final class Exchange {

    private Exchange() {}

    /** The half that gives: it leaves the rows of a node for the worker threads that own their keys. */
    public static Node send(Node input) {
        return new Node("send", "", List.of(input), input.schema(), Send::new);
    }

    /** The half that takes, of what all worker threads have sent. */
    public static Node receive(Node send) {
        return new Node("exchange", "", List.of(send), send.schema(), Receive::new)
                .afterBarrier()
                .shownAs(() -> ShownSql.byKey(send.schema()));
    }

    /**
     * What each worker thread has left for each worker thread: batches by who takes and who leaves, parts by who leaves
     * and who takes.
     */
    private record Slots(Batch[][] batches, LoosePart[][] parts) {

        static Slots of(RowSchema schema, int workerThreads) {
            Batch[][] batches = new Batch[workerThreads][workerThreads];
            for (Batch[] workerThread : batches) {
                Arrays.fill(workerThread, Batch.empty(schema));
            }
            LoosePart[][] parts = new LoosePart[workerThreads][workerThreads];
            for (LoosePart[] workerThread : parts) {
                Arrays.setAll(workerThread, part -> new LoosePart());
            }
            return new Slots(batches, parts);
        }
    }

    private static final class Send extends Operator {
        private final WorkerThreadContext context;
        private final Batch nothing;
        private final Slots slots;
        private final LoosePart[] parts;
        private final List<HashRange> ranges;
        private final int[] owners;

        Send(WorkerThreadContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.context = context;
            this.nothing = Batch.empty(schema());
            this.slots = context.shared(workerThreads -> Slots.of(schema(), workerThreads));
            this.parts = slots.parts[context.workerThread()];
            this.owners = Sharding.owners(context.workerThreads());
            this.ranges = IntStream.range(0, context.workerThreads())
                    .mapToObj(workerThread -> Sharding.range(workerThread, context.workerThreads()))
                    .toList();
        }

        @Override
        protected void evaluate() {
            if (context.workerThreads() == 1) {
                forward(input(0));
                return;
            }
            LooseRows loose = input(0).looseOutput();
            if (loose != null) {
                loose.split(owners, parts);
                return;
            }
            for (int workerThread = 0; workerThread < context.workerThreads(); workerThread++) {
                slots.batches[workerThread][context.workerThread()] =
                        input(0).output().slice(ranges.get(workerThread));
            }
        }

        @Override
        protected void clear() {
            super.clear();
            for (int workerThread = 0; workerThread < context.workerThreads(); workerThread++) {
                slots.batches[workerThread][context.workerThread()] = nothing;
                parts[workerThread].clear();
            }
        }
    }

    private static final class Receive extends Operator {
        private final boolean alone;
        private final Batch[] batches;
        private final LoosePart[] parts;
        private final BatchBuilder builder;

        Receive(WorkerThreadContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.alone = context.workerThreads() == 1;
            Slots slots = ((Send) inputs.get(0)).slots;
            this.batches = slots.batches[context.workerThread()];
            this.parts = new LoosePart[context.workerThreads()];
            Arrays.setAll(parts, workerThread -> slots.parts[workerThread][context.workerThread()]);
            this.builder = new BatchBuilder(schema());
        }

        @Override
        protected boolean wanted() {
            if (alone) {
                return super.wanted();
            }
            for (int workerThread = 0; workerThread < parts.length; workerThread++) {
                if (!batches[workerThread].isEmpty() || !parts[workerThread].isEmpty()) {
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
            for (int workerThread = 0; workerThread < parts.length; workerThread++) {
                if (!parts[workerThread].isEmpty()) {
                    isLoose = true;
                    builder.addAll(parts[workerThread]);
                }
                if (!batches[workerThread].isEmpty()) {
                    filled.add(batches[workerThread]);
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
