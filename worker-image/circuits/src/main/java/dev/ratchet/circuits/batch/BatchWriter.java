/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;

/** Writes one batch in {@link BatchFormat} as its blocks come, keeping only index and filters. */
final class BatchWriter implements BlockSink {

    private final ByteSink sink;
    private final BlockIndex index = new BlockIndex();
    private final List<Long> positions = new ArrayList<>();
    private final List<long[]> filters = new ArrayList<>();
    private long length;

    BatchWriter(RowSchema schema, int level, ByteSink sink) {
        this.sink = sink;
        append(BatchFormat.header(schema, level));
    }

    private void append(byte[] bytes) {
        sink.append(bytes, 0, bytes.length);
        length += bytes.length;
    }

    @Override
    public void accept(Block block) {
        positions.add(length);
        index.add(block);
        filters.add(HashFilter.of(block));
        // A block that was read still has its checksum behind it.
        int size = block.size();
        sink.append(block.bytes, 0, size);
        byte[] checksum = new byte[BatchFormat.CHECKSUM];
        Block.INTS.set(checksum, 0, BatchFormat.checksum(block.bytes, size));
        sink.append(checksum, 0, checksum.length);
        length += size + checksum.length;
    }

    /** Writes what follows the blocks; returns the number of bytes of all. */
    long close() {
        byte[] footer = BatchFormat.footer(index, positions, filters);
        append(footer);
        append(BatchFormat.trailer(footer.length, length));
        return length;
    }

    long length() {
        return length;
    }

    @Override
    public Batch finish(RowSchema schema) {
        close();
        return Batch.empty(schema);
    }

    @Override
    public void abandon() {
        // What was appended belongs to whoever gave the sink.
    }
}
