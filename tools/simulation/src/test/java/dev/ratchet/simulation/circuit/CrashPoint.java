/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.StoreConnection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The commit at which a worker dies: before it takes effect, or behind it and before anybody is told. What a circuit's
 * processes agree on is in the store, so that these are the points of its protocols. A commit is named by the tables
 * that it writes to.
 */
final class CrashPoint implements CircuitDefects {

    /** Before it in a key are whose it is, the cluster and the subsystem. */
    private static final int TABLE_ELEMENT = 3;

    private final String tables;
    private final int occurrence;
    private final boolean isBehind;
    private final Map<String, Integer> seen = new TreeMap<>();
    private boolean isReached;

    /**
     * A point.
     *
     * @param tables the name of the commit; none for a run that only counts them
     * @param occurrence which of those with the name, from 1
     */
    CrashPoint(String tables, int occurrence, boolean isBehind) {
        this.tables = tables;
        this.occurrence = occurrence;
        this.isBehind = isBehind;
    }

    /** How many commits there were, by their names. */
    Map<String, Integer> seen() {
        return seen;
    }

    boolean isReached() {
        return isReached;
    }

    @Override
    public StoreConnection of(StoreConnection connection, DataflowStore store, Runnable crash) {
        return ChangedCommits.of(connection, request -> {
            String name = name(request);
            int number = seen.merge(name, 1, Integer::sum);
            if (isReached || !name.equals(tables) || number != occurrence) {
                return connection.commit(request);
            }
            isReached = true;
            if (!isBehind) {
                crash.run();
                return new CompletableFuture<>();
            }
            return connection.commit(request).thenCompose(unheard -> {
                crash.run();
                return new CompletableFuture<CommitOutcome>();
            });
        });
    }

    /** Counters say that something else has changed; commits of nothing else are named by them. */
    private static String name(CommitRequest request) {
        Set<String> names = new TreeSet<>();
        for (Mutation mutation : request.mutations()) {
            names.add(table(mutation));
        }
        if (names.size() > 1) {
            names.remove("dataflow counter");
        }
        return String.join(", ", names);
    }

    private static String table(Mutation mutation) {
        byte[] key = mutation.key();
        boolean isStamped = mutation.type() == Mutation.SET_VERSIONSTAMPED_KEY;
        Tuple path = Tuple.fromBytes(key, 0, isStamped ? key.length - Integer.BYTES : key.length);
        return path.size() <= TABLE_ELEMENT
                ? "all"
                : path.getString(TABLE_ELEMENT - 1) + " " + path.getString(TABLE_ELEMENT);
    }

    @Override
    public String toString() {
        return (isBehind ? "behind" : "before") + " commit " + occurrence + " of " + tables;
    }
}
