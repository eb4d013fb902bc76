/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds batches of one schema into one, a bounded amount of rows at a time, so that the caller decides when the work is
 * done. The result is the same whatever the portions. One thread at a time.
 */
public final class BatchMerge {

    private static final int PICKED_INITIAL = 8;

    private final RowSchema schema;
    private final MergedCursor cursor;
    private final BlockSink sink;
    private final BlockCut cut;
    private @Nullable RowVectors rows;

    /** The rows of the next block of the result: where they lie, and their weights. */
    private @Nullable Block[] picked = new Block[PICKED_INITIAL];

    private int[] numbers = new int[PICKED_INITIAL];
    private long[] weights = new long[PICKED_INITIAL];
    private int count;
    private long written;

    /**
     * A merge into memory.
     *
     * @param kept rows that fail it are left out, all rows with equal columns alike; null keeps all
     */
    public BatchMerge(RowSchema schema, List<Batch> batches, @Nullable RowPredicate kept) {
        this(schema, batches, kept, new MemorySink());
    }

    BatchMerge(RowSchema schema, List<Batch> batches, @Nullable RowPredicate kept, BlockSink sink) {
        this.schema = schema;
        this.cursor = new MergedCursor(batches, kept);
        this.sink = sink;
        this.cut = new BlockCut(schema.storages());
    }

    /** A merge into a new file of the spill; otherwise as into memory. */
    public static BatchMerge spilling(
            RowSchema schema, List<Batch> batches, @Nullable RowPredicate kept, BatchSpill spill) {
        return new BatchMerge(schema, batches, kept, new SpillSink(schema, spill));
    }

    /** Adds batches at once. */
    public static Batch merge(RowSchema schema, List<Batch> batches) {
        List<Batch> filled = batches.stream().filter(batch -> !batch.isEmpty()).toList();
        if (filled.size() == 1) {
            return filled.get(0);
        }
        BatchMerge merge = new BatchMerge(schema, filled, null);
        merge.work(Long.MAX_VALUE);
        return merge.result();
    }

    /**
     * Takes in up to this many rows of the result.
     *
     * @return whether the merge is complete
     */
    public boolean work(long rowsMax) {
        long end = rowsMax > Long.MAX_VALUE - written ? Long.MAX_VALUE : written + rowsMax;
        while (written < end && cursor.valid()) {
            if (isBlockFull(end)) {
                flush();
            }
        }
        return !cursor.valid();
    }

    /** Picks rows until a block is full, so many are written or none is left; says whether it is the first. */
    private boolean isBlockFull(long end) {
        boolean isFull = false;
        while (!isFull && written < end && cursor.valid()) {
            BatchCursor row = cursor.shown();
            isFull = pick(row.current(), row.row(), cursor.weight());
            cursor.next();
        }
        return isFull;
    }

    /** Takes a row; true where it is the last of its block. */
    private boolean pick(Block block, int row, long weight) {
        if (count == numbers.length) {
            picked = Arrays.copyOf(picked, count * 2);
            numbers = Arrays.copyOf(numbers, count * 2);
            weights = Arrays.copyOf(weights, count * 2);
        }
        picked[count] = block;
        numbers[count] = row;
        weights[count++] = weight;
        written++;
        return cut.isLast(block, row);
    }

    /** Rows written to the result so far. */
    public long rowsWritten() {
        return written;
    }

    /** The sum; called once, after {@link #work} said that it is complete. */
    public Batch result() {
        if (cursor.valid()) {
            throw new IllegalStateException("The merge is not complete; call work() until it returns true");
        }
        if (count > 0) {
            flush();
        }
        return sink.finish(schema);
    }

    /** Gives up what was written so far. */
    public void abandon() {
        sink.abandon();
    }

    private void flush() {
        RowVectors copies = rows == null ? new RowVectors(schema) : rows;
        rows = copies;
        BlockGather.append(copies, picked, numbers, weights, count);
        sink.accept(copies.encode(null, 0, count));
        copies.clear();
        Arrays.fill(picked, 0, count, null);
        count = 0;
    }

    /** Keeps the blocks. */
    private static final class MemorySink implements BlockSink {
        private final List<Block> blocks = new ArrayList<>();

        @Override
        public void accept(Block block) {
            blocks.add(block);
        }

        @Override
        public Batch finish(RowSchema schema) {
            return Batch.of(schema, new MemoryBlocks(blocks));
        }

        @Override
        public void abandon() {
            blocks.clear();
        }
    }

    /** Writes the blocks to a file. */
    private static final class SpillSink implements BlockSink {
        private final BatchSpill spill;
        private final BatchSpill.SpillFile file;
        private final BatchWriter writer;

        SpillSink(RowSchema schema, BatchSpill spill) {
            this.spill = spill;
            this.file = spill.create();
            this.writer = new BatchWriter(schema, spill.formatLevel(), file);
        }

        @Override
        public void accept(Block block) {
            writer.accept(block);
        }

        @Override
        public Batch finish(RowSchema schema) {
            long length = writer.close();
            return BatchFormat.open(file.finish(), 0, length, spill.cache());
        }

        @Override
        public void abandon() {
            file.abandon();
        }
    }
}
