/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes a transaction fail unless this process holds a term when it commits: none of a former coordinator commits after
 * the first of a later one. Immutable.
 */
public final class TermFence {

    /** The term is another process's. */
    public static final class DeposedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeposedException(long term, CoordinatorRecord holder) {
            super("Another coordinator holds the term: own=" + term + " current=" + holder.getTerm() + " seat="
                    + holder.getSeat());
        }
    }

    private final CoordinatorTable table;
    private final Seat seat;
    private final long term;

    /** @param term that this process holds */
    public TermFence(Keyspace keyspace, Seat seat, long term) {
        this.table = new CoordinatorTable(keyspace);
        this.seat = seat;
        this.term = term;
    }

    public long term() {
        return term;
    }

    /** Fails with {@link DeposedException} where the term is another process's, and as the seat's fence does. */
    public CompletableFuture<Void> require(Transaction transaction) {
        return seat.fence(transaction).thenCombine(table.holder(transaction), (fenced, holder) -> {
            if (holder.getTerm() != term
                    || !holder.getSeat().equals(seat.name())
                    || holder.getIncarnation() != seat.incarnation()) {
                throw new DeposedException(term, holder);
            }
            return null;
        });
    }

    /** The seats of the layout in force, by name; none where no layout is. */
    CompletableFuture<List<String>> seats(Transaction transaction) {
        return table.layout()
                .read(transaction)
                .thenApply(layout -> layout.getSeatsList().stream().sorted().toList());
    }
}
