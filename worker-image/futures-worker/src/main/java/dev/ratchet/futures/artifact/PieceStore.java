/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.artifact;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Content larger than one value, in pieces of at most 90 kB under (owner, number), written and read by transactions of
 * less than 1 MB each. Pieces mean nothing until a record that is written after them says how many there are. An owner
 * is one element of the key, or a list of elements.
 */
public final class PieceStore {

    /** Pieces written or read by one transaction. */
    public static final int PIECES_PER_TRANSACTION = 8;

    private final FutureStore store;
    private final Table<byte[]> table;

    public PieceStore(FutureStore store, Table<byte[]> table) {
        this.store = store;
        this.table = table;
    }

    /** Writes some pieces of an owner, the first of which has the number {@code first}. At most 8. */
    public CompletableFuture<Void> write(Object owner, int first, List<byte[]> pieces) {
        return store.runPlain(transaction -> {
            write(transaction, table, owner, first, pieces);
            return CompletableFuture.completedFuture(null);
        });
    }

    /** The same as part of a transaction of the caller's. */
    public static void write(
            Transaction transaction, Table<byte[]> table, Object owner, int first, List<byte[]> pieces) {
        int number = first;
        for (byte[] piece : pieces) {
            table.set(transaction, piece, elements(owner, number++));
        }
    }

    /** All pieces of an owner as one array. @throws IllegalStateException through the future, if one is missing */
    public CompletableFuture<byte[]> readAll(Object owner, int pieces, int bytes) {
        byte[] whole = new byte[bytes];
        int[] filled = {0};
        return read(owner, pieces, piece -> {
                    System.arraycopy(piece, 0, whole, filled[0], Math.min(piece.length, bytes - filled[0]));
                    filled[0] += piece.length;
                })
                .thenApply(unused -> {
                    if (filled[0] != bytes) {
                        throw new IllegalStateException("Content is incomplete in the store: table="
                                + table.schema().path() + " bytes=" + filled[0] + " expected=" + bytes);
                    }
                    return whole;
                });
    }

    /** Gives the pieces 0 to {@code pieces} - 1 of an owner to {@code sink}, in order, one at a time. */
    public CompletableFuture<Void> read(Object owner, int pieces, Consumer<byte[]> sink) {
        return readFrom(owner, 0, pieces, sink);
    }

    private CompletableFuture<Void> readFrom(Object owner, int first, int pieces, Consumer<byte[]> sink) {
        if (first >= pieces) {
            return CompletableFuture.completedFuture(null);
        }
        int last = Math.min(pieces, first + PIECES_PER_TRANSACTION);
        return store.read(transaction -> transaction
                        .getRange(
                                KeySelector.firstGreaterOrEqual(table.key(elements(owner, first))),
                                KeySelector.firstGreaterOrEqual(table.key(elements(owner, last))),
                                PIECES_PER_TRANSACTION,
                                false,
                                StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> {
                    for (KeyValue pair : found) {
                        sink.accept(pair.getValue());
                    }
                    if (found.size() != last - first) {
                        throw new IllegalStateException("Pieces are missing in the store: table="
                                + table.schema().path() + " first=" + first + " found=" + found.size());
                    }
                    return readFrom(owner, last, pieces, sink);
                });
    }

    /** Elements of the key of a piece. */
    public static Object[] elements(Object owner, int number) {
        List<Object> elements = new ArrayList<>(owner instanceof List<?> several ? several : List.of(owner));
        elements.add(number);
        return elements.toArray();
    }

    /** Cuts content into pieces. */
    public static List<byte[]> cut(byte[] content) {
        byte[][] pieces = new byte[ValueSizes.pieces(content.length)][];
        for (int i = 0; i < pieces.length; i++) {
            int from = i * ValueSizes.PIECE_BYTES;
            pieces[i] = Arrays.copyOfRange(content, from, Math.min(content.length, from + ValueSizes.PIECE_BYTES));
        }
        return Arrays.asList(pieces);
    }
}
