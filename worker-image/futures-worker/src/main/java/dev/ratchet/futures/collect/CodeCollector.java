/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FunctionUses;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Removes functions that no future names, jars that no function names, and arguments whose future never came. Whoever
 * may have left such behind notes it: who removes a future or a function, and who uploads something or asks for a jar
 * before a submit. What still has nobody after an hour by {@link WatchedTime} goes, whatever the clocks of workers
 * show; a submit counts its function in the transaction that names it, so that one of the two sees the other. Jars are
 * asked for anew well within the hour before a function names them, so whoever finds none that does, with a note that
 * is still as old, has seen all that may. The jar of a circuit's program stays for as long as the circuit's record
 * names it. Not safe for use by several threads.
 */
public final class CodeCollector {

    /** What is uploaded, or was asked for, is submitted within this time. */
    public static final long GRACE_MILLIS = 3_600_000;

    /** Notes looked at by one sweep, and by one transaction. */
    private static final int SWEEP = 1_000;

    private static final int PAGE = 50;

    private final FutureStore store;
    private final FutureKeys keys;
    private final WatchedTime time;
    private volatile Function<ReadTransaction, CompletableFuture<Set<ByteString>>> others =
            transaction -> CompletableFuture.completedFuture(Set.of());
    private byte[] next;

    public CodeCollector(FutureStore store) {
        this.store = store;
        this.keys = store.keys();
        this.time = new WatchedTime(store);
        this.next = keys.unused.range().begin;
    }

    /**
     * Keeps jars, too, that no function names.
     *
     * @param named reads which of them are in use
     */
    public void keepAlso(Function<ReadTransaction, CompletableFuture<Set<ByteString>>> named) {
        others = named;
    }

    /** Looks at the next notes, and after the last one at the first again; how many of them are settled now. */
    public CompletableFuture<Integer> sweep() {
        return sweep(SWEEP / PAGE, 0);
    }

    private CompletableFuture<Integer> sweep(int pages, int before) {
        Range rest = new Range(next, keys.unused.range().end);
        return store.read(transaction -> FutureRemoval.first(transaction, rest, PAGE))
                .thenCompose(notes -> {
                    boolean last = notes.size() < PAGE;
                    next = last
                            ? keys.unused.range().begin
                            : ByteArrayUtil.keyAfter(notes.get(notes.size() - 1).getKey());
                    // Without a note the time is of no interest, and the store is left alone.
                    CompletableFuture<Integer> settled = notes.isEmpty()
                            ? CompletableFuture.completedFuture(0)
                            : time.advance().thenCompose(now -> settle(notes, now));
                    return settled.thenComposeAsync(
                            count -> last || pages == 1
                                    ? CompletableFuture.completedFuture(before + count)
                                    : sweep(pages - 1, before + count),
                            store.environment().executor());
                });
    }

    /** Removes what notes that are old enough are about, and sees those that are new; how many are settled. */
    private CompletableFuture<Integer> settle(List<KeyValue> notes, long now) {
        long due = now - GRACE_MILLIS;
        List<KeyValue> old = notes.stream()
                .filter(note -> keys.unused.decode(note.getValue()) <= due)
                .toList();
        List<KeyValue> fresh = notes.stream()
                .filter(note -> keys.unused.decode(note.getValue()) > now)
                .toList();
        CompletableFuture<Integer> settled = old.isEmpty() ? CompletableFuture.completedFuture(0) : settleOld(old, due);
        return settled.thenCombine(see(fresh, now), (count, seen) -> count);
    }

    /** Has the grace of notes begin; what was written again meanwhile is seen by the next sweep. */
    private CompletableFuture<Void> see(List<KeyValue> notes, long now) {
        if (notes.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.runPlain(transaction -> AsyncUtil.whenAll(notes.stream()
                .map(note -> transaction.get(note.getKey()).thenAccept(value -> {
                    if (value != null && keys.unused.decode(value) > now) {
                        keys.unused.setRow(transaction, note.getKey(), now);
                    }
                }))
                .toList()));
    }

    private CompletableFuture<Integer> settleOld(List<KeyValue> notes, long due) {
        Set<ByteString> unnamed = new HashSet<>();
        for (KeyValue note : notes) {
            Tuple elements = keys.unused.elements(note.getKey());
            if (elements.getString(0).equals(UnusedNotes.ARTIFACT)) {
                unnamed.add(ByteString.copyFrom(elements.getBytes(1)));
            }
        }
        return withoutNamed(unnamed, keys.functions.range().begin)
                .thenCompose(unused ->
                        store.runPlain(transaction -> others.apply(transaction).thenCompose(named -> {
                            unnamed.removeAll(named);
                            List<CompletableFuture<Integer>> steps = notes.stream()
                                    .map(note -> transaction.get(note.getKey()).thenCompose(value -> {
                                        boolean stands = value != null && keys.unused.decode(value) <= due;
                                        return stands
                                                ? settle(transaction, note.getKey(), unnamed)
                                                : CompletableFuture.completedFuture(0);
                                    }))
                                    .toList();
                            return AsyncUtil.whenAll(steps).thenApply(done -> steps.stream()
                                    .mapToInt(CompletableFuture::join)
                                    .sum());
                        })));
    }

    /** Takes those artifacts out that a function names: from {@code from} on, a page at a time. */
    private CompletableFuture<Void> withoutNamed(Set<ByteString> artifacts, byte[] from) {
        if (artifacts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Range rest = new Range(from, keys.functions.range().end);
        return store.read(transaction -> FutureRemoval.first(transaction, rest, PAGE))
                .thenComposeAsync(
                        rows -> {
                            rows.forEach(row -> keys.functions
                                    .decode(row.getValue())
                                    .getArtifactsList()
                                    .forEach(artifacts::remove));
                            return rows.size() < PAGE
                                    ? CompletableFuture.completedFuture(null)
                                    : withoutNamed(
                                            artifacts,
                                            ByteArrayUtil.keyAfter(
                                                    rows.get(rows.size() - 1).getKey()));
                        },
                        store.environment().executor());
    }

    private CompletableFuture<Integer> settle(Transaction transaction, byte[] note, Set<ByteString> unnamed) {
        Tuple elements = keys.unused.elements(note);
        keys.unused.clearRow(transaction, note);
        return switch (elements.getString(0)) {
            case UnusedNotes.ARTIFACT -> {
                byte[] artifact = elements.getBytes(1);
                yield unnamed.contains(ByteString.copyFrom(artifact))
                        ? settleArtifact(transaction, artifact)
                        : CompletableFuture.completedFuture(1);
            }
            case UnusedNotes.UPLOAD -> {
                keys.artifactContent.clearAll(transaction, (Object) elements.getBytes(1));
                yield CompletableFuture.completedFuture(1);
            }
            case UnusedNotes.FUNCTION -> settleFunction(transaction, elements.getBytes(1));
            default -> {
                UUID future = elements.getUUID(1);
                yield keys.record(transaction, new FutureId(future)).thenApply(record -> {
                    record.ifPresentOrElse(
                            recorded -> ArgumentUploads.clearOthers(keys, transaction, future, recorded),
                            () -> keys.arguments.clearAll(transaction, future));
                    return 1;
                });
            }
        };
    }

    private CompletableFuture<Integer> settleArtifact(Transaction transaction, byte[] digest) {
        return transaction.get(keys.artifacts.key((Object) digest)).thenApply(value -> {
            ArtifactRecord record = keys.artifacts.decodeOrNull(value);
            if (record != null && !record.getContent().isEmpty()) {
                keys.artifactContent.clearAll(
                        transaction, (Object) record.getContent().toByteArray());
            }
            keys.artifacts.clear(transaction, (Object) digest);
            keys.artifactContent.clearAll(transaction, (Object) digest);
            return 1;
        });
    }

    private CompletableFuture<Integer> settleFunction(Transaction transaction, byte[] digest) {
        return FunctionUses.any(transaction, keys, digest)
                .thenCombine(transaction.get(keys.functions.key((Object) digest)), (used, function) -> {
                    if (!used) {
                        if (function != null) {
                            UnusedNotes.ofArtifacts(transaction, keys, keys.functions.decode(function));
                        }
                        keys.functions.clear(transaction, (Object) digest);
                        keys.functionContent.clearAll(transaction, (Object) digest);
                    }
                    return 1;
                });
    }
}
