/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import dev.ratchet.futures.record.FutureTables;
import dev.ratchet.simulation.store.SimulatedStore;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what transactions do with the queue, and which of them are refused, because of what others had changed. */
final class Conflicts implements SimulatedStore.Observer {

    private final Keyspace keyspace;
    private final Map<String, Integer> committed = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();

    Conflicts(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    @Override
    public void committed(CommitRequest request, VirtualProcess by) {
        committed.merge(kind(request), 1, Integer::sum);
    }

    @Override
    public void restarted(Map<byte[], byte[]> rows) {
        throw new IllegalStateException("The store does not restart while conflicts are counted");
    }

    @Override
    public void refused(CommitRequest request, List<KeyRange> changed, VirtualProcess by) {
        String where = changed.stream()
                .map(range -> table(range.begin()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
        refused.merge(kind(request) + " for " + where, 1, Integer::sum);
    }

    /** Transactions that have claimed something. */
    int claims() {
        return committed.getOrDefault("claim", 0);
    }

    /** Why transactions were refused, with how many. */
    Map<String, Integer> refused() {
        return refused;
    }

    /** How many were refused. */
    int count() {
        return refused.values().stream().mapToInt(count -> count).sum();
    }

    private String kind(CommitRequest request) {
        if (writes(request, FutureTables.CLAIM, Mutation.SET)) {
            return "claim";
        }
        if (writes(request, FutureTables.CLAIM, Mutation.CLEAR_RANGE)) {
            return "outcome";
        }
        if (writes(request, FutureTables.IDLE, Mutation.SET)) {
            return "declaration of idleness";
        }
        if (writes(request, FutureTables.RECORD, Mutation.SET)) {
            return "submit";
        }
        return request.mutations().isEmpty()
                ? "nothing"
                : table(request.mutations().getFirst().key());
    }

    private boolean writes(CommitRequest request, TableSchema<?> schema, int type) {
        return request.mutations().stream()
                .anyMatch(mutation -> mutation.type() == type
                        && schema.in(keyspace).subspace().contains(mutation.key()));
    }

    private String table(byte[] key) {
        return new FutureTables()
                .tables().stream()
                        .filter(schema -> schema.in(keyspace).subspace().contains(key))
                        .map(TableSchema::path)
                        .findFirst()
                        .orElse("others");
    }

    @Override
    public String toString() {
        return committed + ", refused " + refused;
    }
}
