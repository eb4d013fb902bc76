/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Seat;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Versionstamps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The least that can be held: claims, each a key under the seat that says which incarnation made it. Enough to see
 * whether membership fences, settles and drains as it says.
 */
public final class ToyWork implements Work {

    private final Database database;
    private final Environment environment;
    private final Subspace claims;
    private final Subspace history;
    private final Seat seat;
    private final Set<String> mine = new HashSet<>();
    private final List<CompletableFuture<Void>> drains = new ArrayList<>();
    private boolean canaryFails;
    private boolean settlingFails;
    private boolean drainsFail;
    private long canaryMillis;
    private boolean abandoned;
    private boolean draining;

    public ToyWork(SimulatedWorker.Parts parts) {
        this.database = parts.database();
        this.environment = parts.process();
        this.claims = parts.keyspace().root().get("toy");
        this.history = history(parts.keyspace());
        this.seat = parts.seat();
    }

    /** Where every fenced write leaves (versionstamp, seat, incarnation), in the order of the commits. */
    public static Subspace history(Keyspace keyspace) {
        return keyspace.root().get("toy-history");
    }

    private void remember(Transaction transaction) {
        byte[] key = Versionstamps.operand(history.pack(), new Tuple(), 0, Tuple.from(seat.name(), seat.incarnation()));
        transaction.mutate(MutationType.SET_VERSIONSTAMPED_KEY, key, new byte[0]);
    }

    /** Claims under the fence for new work. */
    public CompletableFuture<Void> claim(String id) {
        return database.runAsync(transaction -> seat.fenceForWork(transaction).thenAccept(held -> {
                    transaction.set(
                            claims.pack(Tuple.from(seat.name(), id)),
                            Tuple.from(seat.incarnation()).pack());
                }))
                .thenRun(() -> mine.add(id));
    }

    /** Ends a claim under the fence. */
    public CompletableFuture<Void> finish(String id) {
        return database.runAsync(transaction -> seat.fence(transaction).thenAccept(held -> {
                    transaction.clear(claims.pack(Tuple.from(seat.name(), id)));
                    remember(transaction);
                }))
                .thenRun(() -> {
                    mine.remove(id);
                    if (mine.isEmpty()) {
                        List.copyOf(drains).forEach(drain -> drain.complete(null));
                    }
                });
    }

    /** Loses its memory of a claim, which stays in the store. */
    public void forget(String id) {
        mine.remove(id);
    }

    /** What another worker does with what a dead one held. */
    public CompletableFuture<Void> takeOver(String ofSeat) {
        return database.runAsync(transaction -> {
            transaction.clear(claims.get(ofSeat).range());
            return CompletableFuture.completedFuture(null);
        });
    }

    public void failCanary(boolean fails) {
        canaryFails = fails;
    }

    public void failSettling(boolean fails) {
        settlingFails = fails;
    }

    public void failDrains(boolean fails) {
        drainsFail = fails;
    }

    /** From now on a canary is heard of so late. */
    public void slowCanary(long millis) {
        canaryMillis = millis;
    }

    /** What it claimed and has not finished, as far as it knows. */
    public Set<String> claimed() {
        return Set.copyOf(mine);
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    public boolean isDraining() {
        return draining;
    }

    @Override
    public boolean outlivesSeat() {
        return true;
    }

    @Override
    public Inventory now() {
        return Inventory.NONE.withFutures(mine.size());
    }

    @Override
    public CompletableFuture<Inventory> recorded(ReadTransaction transaction, String ofSeat) {
        return transaction
                .getRange(claims.get(ofSeat).range())
                .asList()
                .thenApply(rows -> Inventory.NONE.withFutures(rows.size()));
    }

    @Override
    public CompletableFuture<Void> settle(Seat settled) {
        if (settlingFails) {
            return CompletableFuture.failedFuture(new IllegalStateException("nothing is released"));
        }
        return database.runAsync(transaction -> settled.fence(transaction)
                .thenCompose(held ->
                        transaction.getRange(claims.get(settled.name()).range()).asList())
                .thenAccept(rows -> {
                    remember(transaction);
                    for (KeyValue row : rows) {
                        if (Tuple.fromBytes(row.getValue()).getLong(0) < settled.incarnation()) {
                            transaction.clear(row.getKey());
                        }
                    }
                }));
    }

    @Override
    public CompletableFuture<Void> canary() {
        CompletableFuture<Void> passed = canaryFails
                ? CompletableFuture.failedFuture(new IllegalStateException("no slot can be started"))
                : CompletableFuture.completedFuture(null);
        if (canaryMillis == 0) {
            return passed;
        }
        CompletableFuture<Void> late = new CompletableFuture<>();
        environment.schedule(canaryMillis, () -> late.complete(null));
        return late.thenCompose(heard -> passed);
    }

    @Override
    public CompletableFuture<Void> drain(long timeoutMillis) {
        draining = true;
        if (drainsFail) {
            return CompletableFuture.failedFuture(new IllegalStateException("no other worker has room"));
        }
        if (mine.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> drained = new CompletableFuture<>();
        drains.add(drained);
        environment.schedule(timeoutMillis, () -> {
            if (draining) {
                List.copyOf(mine).forEach(this::finish);
            }
        });
        return drained;
    }

    @Override
    public CompletableFuture<Void> park(long timeoutMillis) {
        return drain(timeoutMillis);
    }

    @Override
    public void resume() {
        draining = false;
        drains.clear();
    }

    @Override
    public void abandon() {
        abandoned = true;
    }
}
