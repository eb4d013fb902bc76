/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One term that this process was elected for, and the only way to read and write as its holder: every transaction reads
 * who holds the term, so none of a former coordinator commits after the first of a later one, and the store's
 * generation: a backup may name this very process as the holder. Safe for use by several threads.
 */
public final class Term {

    /** The term is not, or not any more, this process's. */
    public static final class DeposedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeposedException(long term, CoordinatorRecord holder) {
            super("Another coordinator holds the term: own=" + term + " current=" + holder.getTerm() + " seat="
                    + holder.getSeat());
        }

        DeposedException(long term, long generation, long current) {
            super("The store was restored since the election: term=" + term + " generation=" + generation + " current="
                    + current);
        }
    }

    private static final long TIMEOUT_MILLIS = 4_000;

    private final long number;
    private final String seat;
    private final long incarnation;
    private final long generation;
    private final Database database;
    private final Keyspace keyspace;
    private final CoordinatorTable table;

    /** @param generation of the store when the incarnation took its seat */
    Term(long number, String seat, long incarnation, long generation, Database database, Keyspace keyspace) {
        this.number = number;
        this.seat = seat;
        this.incarnation = incarnation;
        this.generation = generation;
        this.database = database;
        this.keyspace = keyspace;
        this.table = new CoordinatorTable(keyspace);
    }

    public long number() {
        return number;
    }

    /** The seat that holds it. */
    public String seat() {
        return seat;
    }

    /** Commits {@code change} if the term is still held; fails with {@link DeposedException} if not. */
    public <T> CompletableFuture<T> write(Function<Transaction, CompletableFuture<T>> change) {
        return database.runAsync(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            return fence(transaction).thenCompose(held -> change.apply(transaction));
        });
    }

    /** Reads at one version at which the term is held; fails with {@link DeposedException} if not. */
    public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> query) {
        return database.readAsync(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            return fence(transaction).thenCompose(held -> query.apply(transaction));
        });
    }

    /**
     * Makes {@code transaction} fail unless the term is held when it commits: for a decision that is written together
     * with something else. Completes with {@link DeposedException} where it is not held already.
     */
    public CompletableFuture<Void> fence(ReadTransaction transaction) {
        CompletableFuture<Long> found = StoreRecord.generation(transaction, keyspace);
        return table.holder(transaction).thenAcceptBoth(found, (holder, current) -> {
            if (current != generation) {
                throw new DeposedException(number, generation, current);
            }
            if (holder.getTerm() != number
                    || !holder.getSeat().equals(seat)
                    || holder.getIncarnation() != incarnation) {
                throw new DeposedException(number, holder);
            }
        });
    }
}
