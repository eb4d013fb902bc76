/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.BatchWire;
import dev.ratchet.circuits.batch.UnconsolidatedPart;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.ShownSql;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows to the worker thread that owns the hash of their key: each worker thread leaves for each worker thread
 * slices of its batch or, of rows in no order, which of them are for it, and takes what the others left for it after
 * the barrier. Rows in no order are copied once, by who takes them; a worker thread that is alone hands on what it has.
 * For threads of other processes they are written into {@link Mail}. The sum over all worker threads is the same on
 * both sides (law L26).
 */
public final class Exchange {

    private Exchange() {}

    /** The half that gives: it leaves the rows of a node for the worker threads that own their keys. */
    public static Node send(Node input) {
        return new Node(
                "send", "", List.of(input), input.schema(), (context, inputs) -> new Send(context, inputs, null));
    }

    /** The half that takes, of what all worker threads have sent. */
    public static Node receive(Node send) {
        return new Node("exchange", "", List.of(send), send.schema(), Receive::new)
                .afterBarrier()
                .placedBy(List.of(keyOf(send.schema())))
                .shownAs(() -> ShownSql.byKey(send.schema()));
    }

    /** The same by the hash of the whole row. */
    static List<Node> placing(Node input) {
        return placing(input, keyOf(input.schema()));
    }

    /**
     * The rows of a node, whose key is the whole row, in the worker threads that put them out: those that own the
     * hashes of some columns.
     */
    public static List<Node> placing(Node input, List<Integer> columns) {
        boolean isWholeRow = columns.equals(keyOf(input.schema()));
        Node send = new Node(
                        "place",
                        "",
                        List.of(input),
                        input.schema(),
                        (context, inputs) -> new Send(context, inputs, isWholeRow ? null : columns))
                .placing();
        Node receive = new Node("placed", "", List.of(send), send.schema(), Receive::new)
                .afterBarrier()
                .placing()
                .placedBy(List.of(columns))
                .shownAs(() -> "BY " + ShownSql.columns(columns));
        return List.of(send, receive);
    }

    private static List<Integer> keyOf(RowSchema schema) {
        return IntStream.range(0, schema.keyCount()).boxed().toList();
    }

    /**
     * What each worker thread of this process has left for each other: batches by who takes and who leaves, parts by
     * who leaves and who takes; and for each what has come from other processes.
     */
    private record Slots(
            List<List<List<Batch>>> batches, UnconsolidatedPart[][] parts, List<List<ByteBuffer>> received, int box) {

        static Slots of(int threads, Mail mail) {
            List<List<List<Batch>>> batches = new ArrayList<>();
            for (int taker = 0; taker < threads; taker++) {
                List<List<Batch>> left = new ArrayList<>();
                for (int giver = 0; giver < threads; giver++) {
                    left.add(new ArrayList<>());
                }
                batches.add(left);
            }
            UnconsolidatedPart[][] parts = new UnconsolidatedPart[threads][threads];
            for (UnconsolidatedPart[] thread : parts) {
                Arrays.setAll(thread, part -> new UnconsolidatedPart());
            }
            List<List<ByteBuffer>> received = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                received.add(new ArrayList<>());
            }
            int box = mail.open((thread, rows) -> received.get(thread).add(rows));
            return new Slots(batches, parts, received, box);
        }
    }

    private static final class Send extends Operator {
        private final WorkerThread thread;
        private final Sharding sharding;
        private final int number;
        private final Slots slots;

        /** By all threads; those of this process are in the slots. */
        private final UnconsolidatedPart[] parts;

        /** By whose hash rows are sent; null for the key of the schema. */
        private final @Nullable List<Integer> columns;

        /** Rows that came in an order that is not that of the columns. */
        private final BatchBuilder copies;

        Send(WorkerThreadContext context, List<Operator> inputs, @Nullable List<Integer> columns) {
            super(inputs.get(0).schema(), inputs);
            this.columns = columns;
            this.copies = new BatchBuilder(schema());
            this.thread = (WorkerThread) context;
            this.sharding = thread.sharding();
            this.number = sharding.numberInProcess(thread.workerThread());
            this.slots = context.shared(threads -> Slots.of(threads, thread.mail()));
            this.parts = new UnconsolidatedPart[sharding.threads()];
            Arrays.setAll(
                    parts,
                    to -> sharding.isHere(to)
                            ? slots.parts[number][sharding.numberInProcess(to)]
                            : new UnconsolidatedPart());
        }

        @Override
        protected void evaluate() {
            if (parts.length == 1) {
                forward(input(0));
                return;
            }
            UnconsolidatedRows unconsolidated = input(0).unconsolidatedOutput();
            List<Integer> by = columns;
            if (by != null) {
                UnconsolidatedRows rows = unconsolidated == null ? copied(input(0).output()) : unconsolidated;
                rows.split(sharding.map(), by, parts);
                postParts();
            } else if (unconsolidated == null) {
                send(input(0).output());
            } else {
                unconsolidated.split(sharding.map(), parts);
                postParts();
            }
        }

        private UnconsolidatedRows copied(Batch batch) {
            copies.addAll(batch);
            return copies.unconsolidated();
        }

        private void postParts() {
            for (int to = 0; to < parts.length; to++) {
                UnconsolidatedPart part = parts[to];
                if (!sharding.isHere(to) && !part.isEmpty()) {
                    Mail mail = thread.mail();
                    int level = mail.formatLevel();
                    mail.post(thread.workerThread(), slots.box, to, into -> BatchWire.write(part, level, into));
                }
            }
        }

        private void send(Batch batch) {
            batch.split(sharding.map(), (slice, to) -> {
                if (sharding.isHere(to)) {
                    slots.batches.get(sharding.numberInProcess(to)).get(number).add(slice);
                } else {
                    Mail mail = thread.mail();
                    int level = mail.formatLevel();
                    mail.post(thread.workerThread(), slots.box, to, into -> BatchWire.write(slice, level, into));
                }
            });
        }

        @Override
        protected void clear() {
            super.clear();
            for (List<List<Batch>> taker : slots.batches) {
                taker.get(number).clear();
            }
            for (UnconsolidatedPart part : parts) {
                part.clear();
            }
        }
    }

    private static final class Receive extends Operator {
        private final boolean alone;
        private final List<List<Batch>> batches;
        private final UnconsolidatedPart[] parts;
        private final List<ByteBuffer> received;
        private final BatchBuilder builder;

        Receive(WorkerThreadContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.alone = context.workerThreads() == 1;
            Send send = (Send) inputs.get(0);
            this.batches = send.slots.batches.get(send.number);
            this.parts = new UnconsolidatedPart[batches.size()];
            Arrays.setAll(parts, thread -> send.slots.parts[thread][send.number]);
            this.received = send.slots.received.get(send.number);
            this.builder = new BatchBuilder(schema());
        }

        @Override
        protected boolean wanted() {
            if (alone) {
                return super.wanted();
            }
            for (int thread = 0; thread < parts.length; thread++) {
                if (!batches.get(thread).isEmpty() || !parts[thread].isEmpty()) {
                    return true;
                }
            }
            return !received.isEmpty();
        }

        @Override
        protected void evaluate() {
            if (alone) {
                forward(input(0));
                return;
            }
            boolean isUnconsolidated = !received.isEmpty();
            List<Batch> filled = new ArrayList<>();
            for (int thread = 0; thread < parts.length; thread++) {
                if (!parts[thread].isEmpty()) {
                    isUnconsolidated = true;
                    builder.addAll(parts[thread]);
                }
                filled.addAll(batches.get(thread));
            }
            if (!isUnconsolidated) {
                emit(BatchMerge.merge(schema(), filled));
                return;
            }
            received.forEach(rows -> BatchWire.decode(rows, builder));
            for (Batch batch : filled) {
                for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
                    builder.addRow(row, row.hash(), row.weight());
                }
            }
            emit(builder.unconsolidated());
        }

        @Override
        protected void clear() {
            super.clear();
            received.clear();
        }
    }
}
