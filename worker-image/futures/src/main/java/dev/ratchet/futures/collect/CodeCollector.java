/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Removes functions that no future names, and arguments whose future never came. Whoever may have left such behind
 * notes it with the time: who removes a future, and who uploads something before it is submitted. What still has nobody
 * after an hour goes; a submit counts its function in the transaction that names it, so that one of the two sees the
 * other. Not safe for use by several threads.
 */
public final class CodeCollector {

    /** What is uploaded is submitted within this time. */
    public static final long GRACE_MILLIS = 3_600_000;

    /** Notes looked at by one sweep, and by one transaction. */
    private static final int SWEEP = 1_000;

    private static final int PAGE = 50;

    private final FutureStore store;
    private final FutureKeys keys;
    private byte[] next;

    public CodeCollector(FutureStore store) {
        this.store = store;
        this.keys = store.keys();
        this.next = keys.unused.range().begin;
    }

    /** Looks at the next notes, and after the last one at the first again; how many of them are settled now. */
    public CompletableFuture<Integer> sweep() {
        return sweep(SWEEP / PAGE, 0);
    }

    private CompletableFuture<Integer> sweep(int pages, int before) {
        Range rest = new Range(next, keys.unused.range().end);
        return store.read(transaction -> Removal.first(transaction, rest, PAGE)).thenCompose(notes -> {
            boolean last = notes.size() < PAGE;
            next = last
                    ? keys.unused.range().begin
                    : com.apple.foundationdb.tuple.ByteArrayUtil.keyAfter(
                            notes.get(notes.size() - 1).getKey());
            long due = store.environment().wallClockMillis() - GRACE_MILLIS;
            List<KeyValue> old = notes.stream()
                    .filter(note -> keys.unused.decode(note.getValue()) <= due)
                    .toList();
            CompletableFuture<Integer> settled =
                    old.isEmpty() ? CompletableFuture.completedFuture(0) : settle(old, due);
            return settled.thenComposeAsync(
                    count -> last || pages == 1
                            ? CompletableFuture.completedFuture(before + count)
                            : sweep(pages - 1, before + count),
                    store.environment().executor());
        });
    }

    private CompletableFuture<Integer> settle(List<KeyValue> notes, long due) {
        return store.runPlain(transaction -> {
            List<CompletableFuture<Integer>> steps = notes.stream()
                    .map(note -> transaction.get(note.getKey()).thenCompose(value -> {
                        boolean stands = value != null && keys.unused.decode(value) <= due;
                        return stands ? settle(transaction, note.getKey()) : CompletableFuture.completedFuture(0);
                    }))
                    .toList();
            return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new))
                    .thenApply(unused ->
                            steps.stream().mapToInt(CompletableFuture::join).sum());
        });
    }

    private CompletableFuture<Integer> settle(Transaction transaction, byte[] note) {
        Tuple elements = keys.unused.elements(note);
        boolean function = elements.getString(0).equals("function");
        Object owner = function ? elements.getBytes(1) : elements.getUUID(1);
        byte[] user = function ? keys.functionUses.key(owner) : keys.records.key((UUID) owner);
        return transaction.get(user).thenApply(used -> {
            if (used == null && function) {
                transaction.clear(keys.functions.key(owner));
                transaction.clear(keys.functionContent.range(owner));
            } else if (used == null) {
                transaction.clear(keys.arguments.range(owner));
            }
            transaction.clear(note);
            return 1;
        });
    }
}
