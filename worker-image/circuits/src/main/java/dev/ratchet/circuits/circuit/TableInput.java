/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the changes of a table for the next step: set every column that is wanted, then {@link #add}. Rows behind
 * the watermark of the table, as it stands after the step before, are dropped and counted. One thread at a time, and
 * during a step only where a {@link StepPipeline} runs it. In a circuit of several processes every row is added in each
 * of them.
 */
public final class TableInput implements RowWriter {

    private static final int CHUNK_ROWS = 1 << 18;

    private final Plan.Table table;
    private final Watermarks watermarks;
    private final int number;
    private final int timeColumn;
    private final long delay;
    private final BatchBuilder rows;

    /** Columns that are not read are the same in all rows. */
    private final boolean[] isRead;

    private final List<Batch> chunks = new ArrayList<>();
    /** Of the rows of tables that take upserts; under 0 where there is none, or nobody reads it. */
    private final int positionColumn;

    /** Of the next row of the step. */
    private long position;

    private boolean timeIsNull;
    private long time;
    private long latest = Long.MIN_VALUE;

    /** Of the step that was begun last. */
    private long latestBegun = Long.MIN_VALUE;

    /** The watermark after the step that was begun last, which may still run. */
    private long floor;

    private long late;
    private boolean takesBack;

    /** Whether the first step has begun, after which a constant table takes no rows. */
    private boolean isBegun;

    /** @param started whether the circuit has run a step before it was opened */
    TableInput(Plan.Table table, int number, Watermarks watermarks, boolean started) {
        this.table = table;
        this.watermarks = watermarks;
        this.number = number;
        Plan.Lateness lateness = table.lateness();
        this.timeColumn = lateness == null ? -1 : lateness.column();
        this.delay = lateness == null ? 0 : lateness.delay();
        this.floor = watermarks.of(number);
        this.isBegun = started;
        this.rows = new BatchBuilder(table.schema());
        this.isRead = new boolean[table.schema().columnCount()];
        for (int column = 0; column < isRead.length; column++) {
            isRead[column] = table.columnsRead().get(column);
        }
        int last = isRead.length - 1;
        this.positionColumn = table.takesUpserts() && isRead[last] ? last : -1;
    }

    public Plan.Table table() {
        return table;
    }

    /** Whether a column makes a difference to a view or to what is late; no other one need be set. */
    public boolean isWanted(int column) {
        return isRead[column] || column == timeColumn;
    }

    @Override
    public void setNull(int column) {
        timeIsNull = column == timeColumn || timeIsNull;
        if (isRead[column]) {
            rows.setNull(column);
        }
    }

    @Override
    public void setLong(int column, long value) {
        if (column == timeColumn) {
            timeIsNull = false;
            time = value;
        }
        if (isRead[column]) {
            rows.setLong(column, value);
        }
    }

    @Override
    public void setWide(int column, long high, long low) {
        if (isRead[column]) {
            rows.setWide(column, high, low);
        }
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        if (isRead[column]) {
            rows.setBytes(column, source, offset, length);
        }
    }

    /**
     * Adds the row that was set, with a weight; 0 adds nothing. Where the table takes upserts, 1 lets it take the place
     * of the row with its key, and -1 removes that one; of such rows only the key is read.
     *
     * @throws IllegalArgumentException for a negative weight where the table is append-only, one beyond 1 and -1 where
     *     it takes upserts, and after the first step where it is constant; the row is not added
     */
    public void add(long weight) {
        if (weight < 0 && table.appendOnly()) {
            throw new IllegalArgumentException("weight " + weight + " takes a row of table " + table.name()
                    + " back, which is append-only; declare it without that option");
        }
        if (table.takesUpserts() && (weight > 1 || weight < -1)) {
            throw new IllegalArgumentException("weight " + weight + " of a row of table " + table.name()
                    + ", which takes upserts: 1 sets the row of its key, -1 removes it");
        }
        if (isBegun && table.constant() && weight != 0) {
            throw new IllegalArgumentException("a row of table " + table.name()
                    + " after the first step, which is constant; give all its rows in the first step, or declare it"
                    + " without that option");
        }
        if (timeColumn >= 0 && !timeIsNull && weight != 0) {
            if (time < floor) {
                late++;
                rows.add(0);
                return;
            }
            latest = Math.max(latest, time);
        }
        if (positionColumn >= 0) {
            rows.setLong(positionColumn, position++);
        }
        takesBack |= weight < 0;
        rows.add(weight);
        if (rows.rowCount() == CHUNK_ROWS) {
            chunks.add(rows.build());
        }
    }

    /** The smallest time that may still come; {@link Long#MIN_VALUE} where any may. */
    public long watermark() {
        return watermarks.of(number);
    }

    /** Rows dropped so far because they came too late. */
    public long lateRows() {
        return late;
    }

    /**
     * Forgets what was added since the last step that was not rejected.
     *
     * @param started whether there was one
     */
    void discard(boolean started) {
        isBegun = started;
        chunks.clear();
        rows.discard();
        position = 0;
        takesBack = false;
        latest = Long.MIN_VALUE;
        floor = watermarks.of(number);
    }

    /** Does now what {@link #offer} would have to do. */
    void prepare(Sharding sharding) {
        if (isSummed(sharding) && rows.rowCount() > 0) {
            try {
                chunks.add(rows.build());
            } catch (ArithmeticException told) {
                // The rows are still there, and the step, when it takes them, fails as it should.
            }
        }
    }

    /**
     * A row and what takes it back must not meet different worker threads, where neither would see that nothing is
     * left.
     */
    private boolean isSummed(Sharding sharding) {
        return !chunks.isEmpty() || (takesBack && sharding.threads() > 1);
    }

    /**
     * Leaves what was added to the sources of this process's worker threads, to each its share, and starts anew. Shares
     * are told by the order of the rows, which is the same in all processes.
     *
     * @return how many rows, those of other processes included
     */
    long offer(List<TableSource> sources, Sharding sharding) {
        boolean summed = isSummed(sharding);
        // A step that was rejected has left there what it did not come to.
        sources.forEach(TableSource::forget);
        isBegun = true;
        position = 0;
        takesBack = false;
        latestBegun = latest;
        latest = Long.MIN_VALUE;
        floor = Math.max(floor, watermarkBegun());
        if (summed) {
            return offerChunks(sources, sharding);
        }
        UnconsolidatedRows added = rows.unconsolidated();
        if (!added.isEmpty()) {
            int threads = sharding.threads();
            List<UnconsolidatedRows> parts = threads == 1 ? List.of(added) : added.parts(threads);
            for (int thread = 0; thread < sources.size(); thread++) {
                sources.get(thread).offer(parts.get(sharding.firstHere() + thread));
            }
        }
        return added.rowCount();
    }

    private long offerChunks(List<TableSource> sources, Sharding sharding) {
        chunks.add(rows.build());
        Batch whole = BatchMerge.merge(table.schema(), chunks);
        chunks.clear();
        whole.split(sharding.map(), (slice, thread) -> {
            if (sharding.isHere(thread)) {
                sources.get(sharding.numberInProcess(thread)).offer(slice);
            }
        });
        return whole.rowCount();
    }

    /** Lets the watermark follow the rows of the step that was run. */
    void advance() {
        watermarks.raise(number, watermarkBegun());
    }

    /** The smallest time that may still come for all that the step says which was begun last. */
    private long watermarkBegun() {
        // A delay that reaches below the smallest time keeps the watermark where it is.
        long least = latestBegun - delay;
        return least <= latestBegun ? least : Long.MIN_VALUE;
    }
}
