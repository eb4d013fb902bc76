/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.transaction.StoreConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * What is broken on purpose, to see that it is noticed.
 *
 * @param noFence work is written without the proof that the incarnation holds its seat
 * @param noTerm a coordinator goes on writing with the term it once had
 * @param driftPerMille by seat, how much the clocks run fast beyond what the lease allows for
 */
public record Defects(boolean noFence, boolean noTerm, Map<String, Integer> driftPerMille) {

    public static final Defects NONE = new Defects(false, false, Map.of());

    /** What comes between a worker and the store. */
    UnaryOperator<StoreConnection> between(Keyspace keyspace) {
        byte[] term = MembershipTables.COORDINATOR.in(keyspace).key();
        return connection -> noTerm ? FrozenKey.of(connection, term) : connection;
    }

    Seat seat(Seat real) {
        return noFence ? new UnfencedSeat(real) : real;
    }

    private record UnfencedSeat(Seat real) implements Seat {

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public long incarnation() {
            return real.incarnation();
        }

        @Override
        public WorkerState state() {
            return real.state();
        }

        @Override
        public boolean mayWork() {
            return true;
        }

        @Override
        public long validUntilNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public CompletableFuture<Void> fence(Transaction transaction) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> fenceForWork(Transaction transaction) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void holdsChanged() {
            real.holdsChanged();
        }

        @Override
        public void addListener(Listener listener) {
            real.addListener(listener);
        }
    }
}
