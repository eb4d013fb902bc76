/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the sum of several batches of one schema: equal rows are one row with the sum of their weights, sums of 0 are
 * left out. A tree of losers: each inner node has the larger one of two that met there, so that a cursor that has moved
 * meets one other on each level.
 *
 * <p>Source: Knuth, The Art of Computer Programming 3, 5.4.1, where a tree of losers selects.
 */
public final class MergedCursor extends RowAlias implements Cursor {

    private final BatchCursor[] cursors;

    /** Those that stood on a row when the tree was made, and how many these are. */
    private final BatchCursor[] players;

    private int size;

    /** The hash that each player stands on: almost all comparisons end there. */
    private final long[] hashes;

    /** Whether a player has no row any more. */
    private final boolean[] isOut;

    /** For each inner node, numbered from 1, who lost there; player p comes from below node (size + p) / 2. */
    private final int[] losers;

    /** Whether the row of that one is equal to the one that it lost to. */
    private final boolean[] isTie;

    /** Who comes from below each node, of use only while the tree is made. */
    private final int[] winners;

    /** The player with the smallest row. */
    private int first;

    private final @Nullable RowPredicate kept;
    private boolean valid;
    private long weight;
    private long seeks;

    /** Whether it stands where the last seek of a key has left it. */
    private boolean isWhereSought;

    /**
     * A cursor on the first row.
     *
     * @param kept rows that fail it are left out as if their weight were 0; null keeps all. It says the same of equal
     *     rows.
     */
    public MergedCursor(List<Batch> batches, @Nullable RowPredicate kept) {
        this(batches, kept, true);
        rebuild();
    }

    /** A cursor that stands on no row until its first seek, and reads no block before. */
    public static MergedCursor probe(List<Batch> batches, @Nullable RowPredicate kept) {
        return new MergedCursor(batches, kept, false);
    }

    private MergedCursor(List<Batch> batches, @Nullable RowPredicate kept, boolean onFirstRow) {
        this.kept = kept;
        this.cursors = new BatchCursor[batches.size()];
        this.players = new BatchCursor[batches.size() + 1];
        this.hashes = new long[players.length];
        this.isOut = new boolean[players.length];
        this.losers = new int[players.length];
        this.isTie = new boolean[players.length];
        this.winners = new int[2 * players.length];
        for (int i = 0; i < cursors.length; i++) {
            cursors[i] = new BatchCursor(batches.get(i), onFirstRow);
        }
    }

    /** Seeks asked of single batches so far: the work bound of joins and aggregates is counted in these. */
    public long seeks() {
        return seeks;
    }

    /** Whether it walks no batch at all. */
    public boolean isEmpty() {
        return cursors.length == 0;
    }

    @Override
    public boolean valid() {
        return valid;
    }

    /** A view of the row it stands on that stays there. */
    public RowView here() {
        return players[first].here();
    }

    /** The cursor whose row is shown. */
    BatchCursor shown() {
        return players[first];
    }

    @Override
    public void next() {
        isWhereSought = false;
        advance();
        settle();
    }

    @Override
    public long hash() {
        return hashes[first];
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public void seek(long hash) {
        isWhereSought = false;
        for (BatchCursor cursor : cursors) {
            cursor.seek(hash);
        }
        seeks += cursors.length;
        rebuild();
    }

    @Override
    public boolean seekKey(long hash, RowView key) {
        for (BatchCursor cursor : cursors) {
            cursor.seekKey(hash, key);
        }
        seeks += cursors.length;
        rebuild();
        isWhereSought = true;
        return valid;
    }

    /**
     * Goes back to the first row of the key that was last sought, without seeking again; costs nothing where it has not
     * moved since.
     *
     * @param more a cursor on rows of the same key, or on none, that is merged with the others until the next seek;
     *     null for none
     */
    public void rewind(@Nullable BatchCursor more) {
        if (isWhereSought && more == null) {
            return;
        }
        for (BatchCursor cursor : cursors) {
            cursor.rewind();
        }
        size = 0;
        if (more != null && more.valid()) {
            enter(more);
        }
        play();
        isWhereSought = more == null;
    }

    @Override
    public void seekValue(RowView bound, int columns) {
        // Cursors with rows equal to the shown one are behind it already: where it may stay, nothing may be rebuilt.
        if (!valid || players[first].compareValue(bound, columns) >= 0) {
            return;
        }
        isWhereSought = false;
        for (int player = 0; player < size; player++) {
            if (!isOut[player]) {
                players[player].seekValue(bound, columns);
                seeks++;
            }
        }
        rebuild();
    }

    /**
     * Within the rows of the key last sought, goes back from the first row whose first value columns are at least those
     * of another, by at most so many rows in each batch. What it shows from there on is complete.
     *
     * @param columns how many value columns are compared, from the first
     * @return whether it stands on the first row of the key, or the key has no rows
     */
    public boolean seekBack(RowView bound, int columns, long rows) {
        isWhereSought = false;
        BatchCursor latest = null;
        for (BatchCursor cursor : cursors) {
            boolean whole = cursor.seekBack(bound, columns, rows);
            // From the bound itself on every batch is complete, and may be at its end.
            if (!whole && rows > 0 && (latest == null || cursor.compareRow(latest) > 0)) {
                latest = cursor;
            }
        }
        seeks += cursors.length;
        if (latest != null) {
            int all = latest.valueColumns();
            for (BatchCursor cursor : cursors) {
                // In batches that go back further, rows from which others have been left out.
                if (cursor != latest) {
                    cursor.seekValue(latest, all);
                }
            }
        }
        rebuild();
        return latest == null;
    }

    private void rebuild() {
        size = 0;
        play();
    }

    private void play() {
        for (BatchCursor cursor : cursors) {
            if (cursor.valid()) {
                enter(cursor);
            }
        }
        for (int player = 0; player < size; player++) {
            winners[size + player] = player;
        }
        for (int node = size - 1; node > 0; node--) {
            winners[node] = meet(node, winners[2 * node], winners[2 * node + 1]);
        }
        first = size > 1 ? winners[1] : 0;
        valid = size > 0;
        settle();
    }

    private void enter(BatchCursor cursor) {
        hashes[size] = cursor.hash();
        isOut[size] = false;
        players[size++] = cursor;
    }

    /** Lets two players meet at a node; returns who won. */
    private int meet(int node, int one, int two) {
        int order = compare(one, two);
        losers[node] = order <= 0 ? two : one;
        isTie[node] = order == 0;
        return order <= 0 ? one : two;
    }

    /** Sums the weights of the rows equal to the smallest, and goes on while it is not one to show. */
    private void settle() {
        while (valid) {
            weight = players[first].weight();
            for (int node = (size + first) >>> 1; node > 0; node >>>= 1) {
                while (isTie[node]) {
                    int twin = losers[node];
                    weight = Math.addExact(weight, players[twin].weight());
                    move(twin);
                    meet(node, first, replayed(twin, node));
                }
            }
            if (weight != 0 && (kept == null || kept.test(players[first]))) {
                return;
            }
            advance();
        }
    }

    private void advance() {
        move(first);
        first = replayed(first, 0);
        valid = !isOut[first];
    }

    private void move(int player) {
        BatchCursor cursor = players[player];
        cursor.next();
        if (cursor.valid()) {
            hashes[player] = cursor.hash();
        } else {
            isOut[player] = true;
        }
    }

    /**
     * Lets a player that has won everywhere below a node, and has moved since, meet the losers there; returns who wins.
     */
    private int replayed(int player, int below) {
        int winner = player;
        for (int node = (size + player) >>> 1; node > below; node >>>= 1) {
            winner = meet(node, winner, losers[node]);
        }
        return winner;
    }

    /** Who is out is behind all others, and equal to none. */
    private int compare(int one, int two) {
        if (isOut[one] || isOut[two]) {
            return isOut[one] ? 1 : -1;
        }
        int order = Long.compareUnsigned(hashes[one], hashes[two]);
        return order != 0 ? order : players[one].compareColumns(players[two]);
    }

    @Override
    public RowView rowOf(int column) {
        return players[first];
    }

    @Override
    public int columnOf(int column) {
        return column;
    }

    // As inherited, but at call sites of its own, which see one class of rows.

    @Override
    public boolean isNull(int column) {
        return players[first].isNull(column);
    }

    @Override
    public long longAt(int column) {
        return players[first].longAt(column);
    }

    @Override
    public long highAt(int column) {
        return players[first].highAt(column);
    }

    @Override
    public byte[] bytesAt(int column) {
        return players[first].bytesAt(column);
    }

    @Override
    public int offsetAt(int column) {
        return players[first].offsetAt(column);
    }

    @Override
    public int lengthAt(int column) {
        return players[first].lengthAt(column);
    }
}
