/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.state.PendingCommit;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.util.concurrent.CompletableFuture;

/**
 * Makes versions of one run durable, beside its steps, and says so in the store. The coordinator marks a version only
 * when all processes have the one before, so one is made at a time.
 */
final class CircuitCheckpoints {

    private static final long TIMEOUT_MILLIS = 10_000;

    private final DataflowStore store;
    private final Seat seat;
    private final Environment environment;
    private final long run;
    private volatile CompletableFuture<Void> committed = CompletableFuture.completedFuture(null);

    CircuitCheckpoints(DataflowStore store, Seat seat, Environment environment, long run) {
        this.store = store;
        this.seat = seat;
        this.environment = environment;
        this.run = run;
    }

    void begin(PendingCommit commit, long step) {
        assert committed.isDone() : "version " + commit.version() + " is made beside another one";
        committed = CompletableFuture.runAsync(commit::complete, environment.blockingExecutor())
                .thenCompose(
                        stored -> store.database().runAsync(transaction -> tell(transaction, commit.version(), step)));
    }

    private CompletableFuture<Void> tell(Transaction transaction, long version, long step) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        CompletableFuture<RunRecord> current =
                DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance());
        return seat.fence(transaction).thenCombine(current, (held, found) -> {
            if (found.getNumber() == run) {
                DurableRecord record = DurableRecord.newBuilder().setStep(step).build();
                DataflowStore.write(transaction, store.durable(), record, version, seat.name());
                store.count(transaction, Counter.TOLD, 1);
            }
            return null;
        });
    }

    /** Throws what has kept the last version from being stored or told. */
    void check() {
        if (committed.isCompletedExceptionally()) {
            committed.join();
        }
    }

    /** Waits for the version that is being made; whether it was made does not matter any more. */
    void await() {
        committed.handle((done, failure) -> null).join();
    }
}
