/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Copy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Transactions that change who a record says holds its result. Each is without effect where the result is another one
 * by now, and harmless when repeated.
 */
public final class CopyRecords {

    private final FutureStore store;
    private final Members members;
    private final Copies copies;

    public CopyRecords(FutureStore store, Members members) {
        this.store = store;
        this.members = members;
        this.copies = new Copies(store.keys());
    }

    /**
     * Whether the holder of a copy still has to delete its bytes: no record may name it until then, as they would be
     * deleted all the same.
     */
    CompletableFuture<Boolean> isToBeDeleted(ObjectName name, Copy copy) {
        return store.read(transaction -> copies.isOrdered(transaction, name, copy));
    }

    /**
     * Names a copy that was made, unless its holder has begun to leave, or is to delete a former one; whether it is
     * named now. Where that is the result no more, the holder is to delete it.
     */
    public CompletableFuture<Boolean> add(ObjectName name, Copy copy) {
        return change(name, copy, (futures, future) -> Copies.add(future, copy));
    }

    /**
     * Names no copy but this one, if it is named: those who hold the others are to delete them; whether it is named.
     */
    public CompletableFuture<Boolean> keepOnly(ObjectName name, Copy copy) {
        return store.run(futures -> mayHold(futures.transaction(), copy)
                .thenCombine(futures.load(name.future()), (may, loaded) -> {
                    var named = loaded.filter(future -> may && Copies.isNamed(future, name, copy));
                    named.ifPresent(future -> future.record().getResult().getObject().getCopiesList().stream()
                            .filter(other -> !other.equals(copy))
                            .forEach(other -> copies.drop(futures, future, other)));
                    return named.isPresent();
                }));
    }

    /**
     * Removes a copy that its holder does not have. What has no other is LOST then. One that is awaited is left to the
     * next process of the seat.
     */
    CompletableFuture<Void> forget(ObjectName name, Copy copy) {
        return store.run(futures -> members.one(futures.transaction(), copy.getSeat())
                .thenCombine(futures.load(name.future()), (holder, loaded) -> {
                    loaded.filter(future -> Copies.isResult(future, name))
                            .filter(future -> holder.filter(other -> other.incarnation() != copy.getIncarnation()
                                            && Copies.isAwaited(future.record(), other))
                                    .isEmpty())
                            .ifPresent(future -> Copies.remove(future, copy));
                    return null;
                }));
    }

    /** Whether the holder of a copy may be given one by a record: it is healthy; conflicts with its leaving. */
    public CompletableFuture<Boolean> mayHold(ReadTransaction transaction, Copy copy) {
        return members.one(transaction, copy.getSeat()).thenApply(member -> member.filter(holder ->
                        holder.incarnation() == copy.getIncarnation() && holder.state() == WorkerState.HEALTHY)
                .isPresent());
    }

    private CompletableFuture<Boolean> change(
            ObjectName name, Copy copy, BiConsumer<FutureTransaction, LoadedFuture> action) {
        return store.run(futures -> mayHold(futures.transaction(), copy)
                .thenCombine(
                        copies.isOrdered(futures.transaction(), name, copy), (may, toBeDeleted) -> may && !toBeDeleted)
                .thenCompose(mayHold -> futures.load(name.future()).thenApply(loaded -> {
                    var result = loaded.filter(future -> mayHold && Copies.isResult(future, name));
                    result.ifPresentOrElse(future -> action.accept(futures, future), () -> {
                        if (mayHold) {
                            copies.refuse(futures, name, copy);
                        }
                    });
                    return result.isPresent();
                })));
    }
}
