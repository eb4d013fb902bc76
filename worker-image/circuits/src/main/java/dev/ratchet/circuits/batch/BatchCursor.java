/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Walks one batch. Reads blocks only where it stands. A seek of a key goes forward from the block it stands in, and
 * guesses the row in its block from the hash: a few compares where keys come in the order of their hashes.
 */
public final class BatchCursor implements Cursor {

    private final Batch batch;
    private final BlockSource source;
    private final BlockIndex index;
    private final Storage[] storages;
    private final int keyCount;
    private long end;
    private long keyStart;
    private int number = -1;
    private @Nullable Block block;
    private int row;
    private int rowEnd;

    /** Where the last seek of a key went. */
    private int markedNumber;

    private int markedRow;
    private int markedRowEnd;
    private long markedEnd;

    BatchCursor(Batch batch, boolean onFirstRow) {
        this.batch = batch;
        this.source = batch.source();
        this.index = source.index();
        this.storages = batch.schema().storages();
        this.keyCount = batch.schema().keyCount();
        this.end = batch.to();
        if (onFirstRow) {
            position(batch.from());
        }
    }

    @Override
    public boolean valid() {
        return row < rowEnd;
    }

    @Override
    public void next() {
        row++;
        if (row == rowEnd) {
            position(index.rowStart(number) + row);
        }
    }

    @Override
    public long hash() {
        return current().hash(row);
    }

    @Override
    public long weight() {
        return current().weight(row);
    }

    @Override
    public void seek(long hash) {
        end = batch.to();
        position(Math.max(batch.from(), batch.lowerBound(hash)));
    }

    @Override
    public boolean seekKey(long hash, RowView key) {
        boolean found = seekHash(hash) && seekWithinHash(key);
        if (!found) {
            rowEnd = row;
        }
        markedNumber = number;
        markedRow = row;
        markedRowEnd = rowEnd;
        markedEnd = end;
        keyStart = found ? index.rowStart(number) + row : end;
        return found;
    }

    /** Goes back to where the last {@link #seekKey} went. */
    void rewind() {
        if (markedRow < markedRowEnd) {
            blockAt(markedNumber);
        }
        row = markedRow;
        rowEnd = markedRowEnd;
        end = markedEnd;
    }

    private boolean seekWithinHash(RowView key) {
        while (valid() && compareKey(key) < 0) {
            next();
        }
        if (!valid() || compareKey(key) != 0) {
            return false;
        }
        narrow(key);
        return true;
    }

    /** Goes to the first row with a hash and puts the end behind the last; false where the batch has none. */
    private boolean seekHash(long hash) {
        int at = index.blockBelow(hash, number);
        int first = Integer.MAX_VALUE;
        if (at >= 0 && source.mayContain(at, hash)) {
            Block within = blockAt(at);
            first = within.find(hash, 0, false);
            if (first < within.rows && within.hash(first) != hash) {
                return false;
            }
            first = first == within.rows ? Integer.MAX_VALUE : first;
        }
        if (first == Integer.MAX_VALUE) {
            at++;
            if (at >= index.count() || index.firstHash(at) != hash) {
                return false;
            }
            first = 0;
        }
        Block here = blockAt(at);
        long start = index.rowStart(at);
        if (start + first < batch.from() || start + first >= batch.to()) {
            return false;
        }
        row = first;
        rowEnd = here.endOfHash(first);
        boolean goesOn = rowEnd == here.rows && at + 1 < index.count() && index.firstHash(at + 1) == hash;
        end = goesOn ? Math.min(batch.to(), batch.upperBound(hash)) : start + rowEnd;
        return true;
    }

    private Block blockAt(int wanted) {
        Block here = block;
        if (here == null || wanted != number) {
            here = source.block(wanted);
            block = here;
            number = wanted;
        }
        return here;
    }

    /**
     * Within the rows of the key last sought, goes back from the first row whose first value columns are at least those
     * of another by some rows, or to the first row.
     *
     * @return whether it stands on the first row of the key, or the key has no rows
     */
    boolean seekBack(RowView bound, int columns, long rows) {
        long low = keyStart;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            position(middle);
            if (compareValue(bound, columns) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long at = Math.max(keyStart, low - rows);
        position(at);
        return at == keyStart;
    }

    @Override
    public void seekValue(RowView bound, int columns) {
        if (!valid() || compareValue(bound, columns) >= 0) {
            return;
        }
        long low = index.rowStart(number) + row + 1;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            position(middle);
            if (compareValue(bound, columns) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        position(low);
    }

    int valueColumns() {
        return storages.length - keyCount;
    }

    int compareValue(RowView bound, int columns) {
        return RowOrder.compare(storages, this, bound, keyCount, keyCount + columns);
    }

    /** Moves the end behind the last row of the key; almost always all rows with its hash are of one key. */
    private void narrow(RowView key) {
        long first = index.rowStart(number) + row;
        if (first + 1 == end) {
            return;
        }
        position(end - 1);
        boolean alone = compareKey(key) == 0;
        position(first);
        if (!alone) {
            long last = first;
            while (valid() && compareKey(key) == 0) {
                last++;
                next();
            }
            end = last;
            position(first);
        }
    }

    /** Compares the rows two cursors of one schema stand on, by hash and all columns. */
    int compareRow(BatchCursor other) {
        int order = Long.compareUnsigned(hash(), other.hash());
        return order != 0 ? order : compareColumns(other);
    }

    int compareColumns(BatchCursor other) {
        Block left = current();
        Block right = other.current();
        int order = 0;
        for (int column = 0; order == 0 && column < storages.length; column++) {
            order = left.compare(storages[column], column + Block.FIRST, row, right, other.row);
        }
        return order;
    }

    private int compareKey(RowView key) {
        return RowOrder.compare(storages, this, key, 0, keyCount);
    }

    private void position(long at) {
        if (at >= end) {
            rowEnd = row;
            return;
        }
        int wanted = number >= 0 && at >= index.rowStart(number) && at < index.rowStart(number + 1)
                ? number
                : index.blockOfRow(at);
        blockAt(wanted);
        long start = index.rowStart(number);
        row = (int) (at - start);
        rowEnd = (int) Math.min(index.rows(number), end - start);
    }

    Block current() {
        Block here = block;
        if (here == null) {
            throw new IllegalStateException("The cursor stands on no row; ask valid() before the row");
        }
        return here;
    }

    /** A view of the row it stands on that stays there. */
    BatchCursor here() {
        BatchCursor here = new BatchCursor(batch, false);
        here.block = current();
        here.row = row;
        return here;
    }

    int row() {
        return row;
    }

    @Override
    public boolean isNull(int column) {
        return current().isNull(column + Block.FIRST, row);
    }

    @Override
    public long longAt(int column) {
        return current().longAt(column + Block.FIRST, row);
    }

    @Override
    public long highAt(int column) {
        return current().highAt(column + Block.FIRST, row);
    }

    @Override
    public byte[] bytesAt(int column) {
        return current().bytes;
    }

    @Override
    public int offsetAt(int column) {
        return current().offsetAt(column + Block.FIRST, row);
    }

    @Override
    public int lengthAt(int column) {
        return current().lengthAt(column + Block.FIRST, row);
    }
}
