/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.Wide;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Growing columns in plain arrays: what rows are in between being appended and being encoded. Owns the arrays of one
 * builder and keeps them from use to use. The row at index {@link #count} is the one being written; {@link #commit}
 * makes it part of the whole. It holds at most {@value #ROWS_MAX} rows and {@value #BYTES_MAX} bytes per column.
 */
final class RowVectors implements RowWriter, Columns {

    static final int ROWS_MAX = 1 << 26;
    static final int BYTES_MAX = 1 << 30;
    private static final int ROWS_INITIAL = 8;
    private static final int ROWS_KEPT = 1 << 16;

    final RowSchema schema;
    final Storage[] storages;
    private final int[] bytesColumns;
    private final int keyCount;
    private int capacity = ROWS_INITIAL;
    private int count;

    /** The row whose columns are set: the one behind the last, or one that is written over. */
    private int at;

    private int byteCount;
    private boolean hashMissing;
    private long generation;

    /** Whose columns these are; null for its own. */
    private @Nullable RowVectors source;

    long[] hashes = new long[ROWS_INITIAL];
    long[] weights = new long[ROWS_INITIAL];
    final boolean[][] nulls;
    final long[][] lows;
    final long[][] highs;
    final byte[][] pools;
    final int[][] starts;
    final int[][] lengths;
    private final int[] poolUsed;
    final BlockEncoder encoder;

    RowVectors(RowSchema schema) {
        this.schema = schema;
        this.storages = schema.storages();
        this.bytesColumns = IntStream.range(0, storages.length)
                .filter(column -> storages[column] == Storage.BYTES)
                .toArray();
        this.keyCount = schema.keyCount();
        int columns = storages.length;
        nulls = new boolean[columns][];
        lows = new long[columns][];
        highs = new long[columns][];
        pools = new byte[columns][];
        starts = new int[columns][];
        lengths = new int[columns][];
        poolUsed = new int[columns];
        for (int column = 0; column < columns; column++) {
            allocate(column, ROWS_INITIAL);
        }
        encoder = new BlockEncoder(this);
    }

    /**
     * Shows columns of the rows of another instead of what was here: its arrays, but for hashes and weights.
     *
     * @param from for each column its number there, or under 0 where it has arrays of its own, to be set
     */
    void share(RowVectors other, int[] from) {
        clearKeepingRoom();
        source = other;
        count = other.count;
        hashMissing = true;
        boolean fits = count <= capacity && (capacity <= ROWS_KEPT || count > ROWS_KEPT);
        if (!fits) {
            capacity = count;
            hashes = new long[capacity];
            weights = new long[capacity];
        }
        System.arraycopy(other.weights, 0, weights, 0, count);
        for (int column = 0; column < storages.length; column++) {
            int shared = from[column];
            if (shared >= 0) {
                nulls[column] = other.nulls[shared];
                lows[column] = other.lows[shared];
                highs[column] = other.highs[shared];
                pools[column] = other.pools[shared];
                starts[column] = other.starts[shared];
                lengths[column] = other.lengths[shared];
            } else if (!fits) {
                allocate(column, capacity);
            } else if (storages[column] == Storage.BYTES) {
                Arrays.fill(lengths[column], 0, count, 0);
            }
        }
        sumBytes();
    }

    /** Brings {@link #byteCount} up to date where columns of committed rows were set. */
    void sumBytes() {
        byteCount = 0;
        for (int column : bytesColumns) {
            for (int row = 0; row < count; row++) {
                byteCount += lengths[column][row];
            }
        }
    }

    private void allocate(int column, int capacityOfColumn) {
        nulls[column] = new boolean[capacityOfColumn];
        switch (storages[column]) {
            case LONG -> lows[column] = new long[capacityOfColumn];
            case WIDE -> {
                lows[column] = new long[capacityOfColumn];
                highs[column] = new long[capacityOfColumn];
            }
            case BYTES -> {
                pools[column] = new byte[capacityOfColumn * 8];
                starts[column] = new int[capacityOfColumn];
                lengths[column] = new int[capacityOfColumn];
            }
        }
    }

    int count() {
        return count;
    }

    @Override
    public boolean[] nulls(int column) {
        return nulls[column];
    }

    @Override
    public long[] longs(int column) {
        return lows[column];
    }

    @Override
    public long[] highs(int column) {
        return highs[column];
    }

    /** Bytes of the committed rows in BYTES columns. */
    int byteCount() {
        return byteCount;
    }

    @Override
    public void setNull(int column) {
        nulls[column][at] = true;
        switch (storages[column]) {
            case LONG -> lows[column][at] = 0;
            case WIDE -> {
                lows[column][at] = 0;
                highs[column][at] = 0;
            }
            case BYTES -> {
                starts[column][at] = poolUsed[column];
                lengths[column][at] = 0;
            }
        }
    }

    @Override
    public void setLong(int column, long value) {
        nulls[column][at] = false;
        lows[column][at] = value;
    }

    @Override
    public void setWide(int column, long high, long low) {
        nulls[column][at] = false;
        lows[column][at] = low;
        highs[column][at] = high;
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        if (at < count && length <= lengths[column][at]) {
            System.arraycopy(source, offset, pools[column], starts[column][at], length);
            nulls[column][at] = false;
            lengths[column][at] = length;
            return;
        }
        int used = poolUsed[column];
        byte[] pool = poolFor(column, length);
        System.arraycopy(source, offset, pool, used, length);
        nulls[column][at] = false;
        starts[column][at] = used;
        lengths[column][at] = length;
        poolUsed[column] = used + length;
    }

    @Override
    public void copy(int column, Storage storage, RowView row, int from) {
        RowView source = row;
        int place = from;
        while (source instanceof RowAlias alias) {
            source = alias.rowOf(place);
            place = alias.columnOf(place);
        }
        if (source instanceof BatchCursor cursor) {
            copy(column, storage, cursor.current(), place + Block.FIRST, cursor.row());
        } else if (source instanceof UnconsolidatedCursor cursor) {
            copy(column, storage, cursor.rows(), place, cursor.row());
        } else {
            RowWriter.super.copy(column, storage, source, place);
        }
    }

    private void copy(int column, Storage storage, Block block, int stored, int row) {
        if (block.isNull(stored, row)) {
            setNull(column);
            return;
        }
        switch (storage) {
            case LONG -> setLong(column, block.longAt(stored, row));
            case WIDE -> setWide(column, block.highAt(stored, row), block.longAt(stored, row));
            case BYTES -> setBytes(column, block.bytes, block.offsetAt(stored, row), block.lengthAt(stored, row));
        }
    }

    void copy(int column, Storage storage, RowVectors from, int place, int row) {
        if (from.nulls[place][row]) {
            setNull(column);
            return;
        }
        switch (storage) {
            case LONG -> setLong(column, from.lows[place][row]);
            case WIDE -> setWide(column, from.highs[place][row], from.lows[place][row]);
            case BYTES -> setBytes(column, from.pools[place], from.starts[place][row], from.lengths[place][row]);
        }
    }

    /** Makes the row that was written part of the whole; its hash is left to {@link KeyHashes}. */
    void commit(long weight) {
        hashMissing = true;
        commit(weight, 0);
    }

    void commit(long weight, long hash) {
        hashes[count] = hash;
        weights[count] = weight;
        for (int column : bytesColumns) {
            byteCount += lengths[column][count];
        }
        count++;
        at = count;
        if (count == capacity) {
            grow();
        }
    }

    /** Forgets the rows whose weight was set to 0. */
    void dropWeightless() {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            if (weights[row] != 0) {
                move(row, kept++);
            }
        }
        count = kept;
        at = kept;
    }

    private void move(int row, int to) {
        if (row == to) {
            return;
        }
        hashes[to] = hashes[row];
        weights[to] = weights[row];
        for (int column = 0; column < storages.length; column++) {
            nulls[column][to] = nulls[column][row];
            if (storages[column] == Storage.BYTES) {
                starts[column][to] = starts[column][row];
                lengths[column][to] = lengths[column][row];
            } else {
                lows[column][to] = lows[column][row];
                if (storages[column] == Storage.WIDE) {
                    highs[column][to] = highs[column][row];
                }
            }
        }
    }

    /** Lets the columns of a row be set; from then on only of it, until the row behind the last is named again. */
    void writeAt(int row) {
        at = row;
    }

    /** Bytes of the arrays of bytes that are taken, those of rows written over included. */
    long poolBytes() {
        long bytes = 0;
        for (int used : poolUsed) {
            bytes += used;
        }
        return bytes;
    }

    /** Whether every committed row came with its hash. */
    boolean hasAllHashes() {
        return !hashMissing;
    }

    /** Changes whenever the rows are forgotten, or those whose columns these are. */
    long generation() {
        return source == null ? generation : (generation << Integer.SIZE) + source.generation();
    }

    /** The block of the rows with positions {@code from} to {@code to} (exclusive) in an order, or as they are. */
    Block encode(int @Nullable [] order, int from, int to) {
        return new Block(encoder.encode(order, from, to));
    }

    /** Makes room for rows behind the last; its number comes next. */
    int room(int more) {
        while (capacity <= count + more) {
            grow();
        }
        return count;
    }

    /** As {@link #commitAll} where the hashes are left to {@link KeyHashes}. */
    void commitUnhashed(int more) {
        hashMissing = true;
        commitAll(more);
    }

    /** Makes the rows behind the last, whose columns, hashes and weights were set, part of the whole. */
    void commitAll(int more) {
        count += more;
        at = count;
    }

    /** Takes room for bytes of rows that will be committed; where it begins. */
    int poolRoom(int column, long more) {
        poolFor(column, more);
        int used = poolUsed[column];
        poolUsed[column] = used + (int) more;
        byteCount += (int) more;
        return used;
    }

    /** The bytes of a column, with room for more. */
    private byte[] poolFor(int column, long more) {
        int used = poolUsed[column];
        if (more > BYTES_MAX - used) {
            throw new BatchFullException("A column of a batch under construction grows over " + BYTES_MAX
                    + " bytes; build several batches and merge them");
        }
        byte[] pool = pools[column];
        if (pool.length - used < more) {
            pool = Arrays.copyOf(pool, (int) Math.min(BYTES_MAX, Math.max(pool.length * 2L, used + more)));
            pools[column] = pool;
        }
        return pool;
    }

    /** Copies a row of the same schema and commits it. */
    void append(RowView row, long weight, long hash) {
        for (int column = 0; column < storages.length; column++) {
            copy(column, storages[column], row, column);
        }
        commit(weight, hash);
    }

    private void grow() {
        if (capacity >= ROWS_MAX) {
            throw new BatchFullException("A batch under construction grows over " + ROWS_MAX
                    + " rows; build several batches and merge them");
        }
        capacity *= 2;
        hashes = Arrays.copyOf(hashes, capacity);
        weights = Arrays.copyOf(weights, capacity);
        for (int column = 0; column < storages.length; column++) {
            nulls[column] = Arrays.copyOf(nulls[column], capacity);
            switch (storages[column]) {
                case LONG -> lows[column] = Arrays.copyOf(lows[column], capacity);
                case WIDE -> {
                    lows[column] = Arrays.copyOf(lows[column], capacity);
                    highs[column] = Arrays.copyOf(highs[column], capacity);
                }
                case BYTES -> {
                    starts[column] = Arrays.copyOf(starts[column], capacity);
                    lengths[column] = Arrays.copyOf(lengths[column], capacity);
                }
            }
        }
    }

    /** Forgets the rows; arrays stay for the next ones. */
    void clearKeepingRoom() {
        count = 0;
        at = 0;
        byteCount = 0;
        hashMissing = false;
        generation++;
        Arrays.fill(poolUsed, 0);
    }

    /** Forgets the rows; arrays stay for the next ones unless they became large. */
    void clear() {
        clearKeepingRoom();
        clearIfLarge();
    }

    /** Forgets rows and arrays where these became large. */
    void clearIfLarge() {
        if (capacity > ROWS_KEPT) {
            clearKeepingRoom();
            source = null;
            capacity = ROWS_INITIAL;
            hashes = new long[capacity];
            weights = new long[capacity];
            for (int column = 0; column < storages.length; column++) {
                allocate(column, ROWS_INITIAL);
            }
        }
    }

    /** Compares two committed rows by hash, then by the key columns. */
    int compareKeys(int left, int right) {
        int order = Long.compareUnsigned(hashes[left], hashes[right]);
        for (int column = 0; order == 0 && column < keyCount; column++) {
            order = compareColumn(column, left, right);
        }
        return order;
    }

    /** Compares two committed rows by hash, then by all columns. */
    int compare(int left, int right) {
        int order = Long.compareUnsigned(hashes[left], hashes[right]);
        return order != 0 ? order : compareColumns(left, right);
    }

    /** Compares two committed rows by all columns. */
    int compareColumns(int left, int right) {
        int order = 0;
        for (int column = 0; order == 0 && column < storages.length; column++) {
            order = compareColumn(column, left, right);
        }
        return order;
    }

    /** Compares two committed rows by one column. */
    int compareColumn(int column, int left, int right) {
        if (nulls[column][left] || nulls[column][right]) {
            return Boolean.compare(!nulls[column][left], !nulls[column][right]);
        }
        long[] low = lows[column];
        return switch (storages[column]) {
            case LONG -> Long.compare(low[left], low[right]);
            case WIDE -> Wide.compare(highs[column][left], low[left], highs[column][right], low[right]);
            case BYTES ->
                RowOrder.compareBytes(
                        pools[column],
                        starts[column][left],
                        lengths[column][left],
                        pools[column],
                        starts[column][right],
                        lengths[column][right]);
        };
    }

    /** Whether the first columns of a committed row are those of a row elsewhere. */
    boolean sameColumns(int columns, int row, RowVectors other, int otherRow) {
        for (int column = 0; column < columns; column++) {
            boolean isNull = nulls[column][row];
            if (isNull != other.nulls[column][otherRow] || (!isNull && !sameValue(column, row, other, otherRow))) {
                return false;
            }
        }
        return true;
    }

    private boolean sameValue(int column, int row, RowVectors other, int otherRow) {
        if (storages[column] == Storage.BYTES) {
            int length = lengths[column][row];
            int start = starts[column][row];
            int otherStart = other.starts[column][otherRow];
            return length == other.lengths[column][otherRow]
                    && Arrays.equals(
                            pools[column], start, start + length, other.pools[column], otherStart, otherStart + length);
        }
        return lows[column][row] == other.lows[column][otherRow]
                && (storages[column] == Storage.LONG || highs[column][row] == other.highs[column][otherRow]);
    }
}
