/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.simulation.store.SimulatedStore;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what transactions do with the queue, and which of them are refused, because of what others had changed. */
final class Conflicts implements SimulatedStore.Observer {

    private final FutureKeys keys;
    private final List<String> seats;
    private final Map<String, Integer> committed = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();
    private final Map<ByteBuffer, String> claimed = new HashMap<>();
    private final List<Lost> lost = new ArrayList<>();

    /** A claim that was refused, for what was claimed meanwhile. */
    private record Lost(String kind, ByteBuffer record) {}

    /** @param seats of those who claim; by the order of their names they divide the queue, in its first shards */
    Conflicts(Keyspace keyspace, List<String> seats) {
        this.keys = new FutureKeys(keyspace);
        this.seats = seats.stream().sorted().toList();
    }

    @Override
    public void committed(CommitRequest request, VirtualProcess by) {
        String kind = kind(request);
        committed.merge(kind, 1, Integer::sum);
        if (kind.equals("claim")) {
            String part = part(request, by);
            request.mutations().stream()
                    .filter(mutation -> keys.records.subspace().contains(mutation.key()))
                    .forEach(mutation -> claimed.put(ByteBuffer.wrap(mutation.key()), part));
        }
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
        if (kind(request).equals("claim")) {
            lost.add(new Lost(
                    part(request, by), ByteBuffer.wrap(changed.getFirst().begin())));
        }
    }

    /** Which claims have met which, with how many: a claim that was refused, and the one that was first. */
    Map<String, Integer> meetings() {
        Map<String, Integer> meetings = new TreeMap<>();
        for (Lost one : lost) {
            String winner = claimed.getOrDefault(one.record(), "none");
            meetings.merge(one.kind() + " after " + winner, 1, Integer::sum);
        }
        return meetings;
    }

    /** In whose part of the queue a claim has taken something. */
    private String part(CommitRequest request, VirtualProcess by) {
        Table<byte[]> queue = keys.queue;
        int index = seats.indexOf(by.name().replaceFirst("#.*", ""));
        boolean own = request.mutations().stream()
                .map(Mutation::key)
                .filter(queue.subspace()::contains)
                .mapToLong(key -> queue.elements(key).getLong(3))
                .allMatch(shard -> shard >= (long) FutureStore.SHARDS_MIN * index / seats.size()
                        && shard < (long) FutureStore.SHARDS_MIN * (index + 1) / seats.size());
        return own ? "in its own part" : "in a part of others";
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
        if (writes(request, keys.claims, Mutation.SET)) {
            return "claim";
        }
        if (writes(request, keys.claims, Mutation.CLEAR_RANGE)) {
            return "outcome";
        }
        if (writes(request, keys.idle, Mutation.SET)) {
            return "declaration of idleness";
        }
        if (writes(request, keys.records, Mutation.SET)) {
            return "submit";
        }
        return request.mutations().isEmpty()
                ? "nothing"
                : table(request.mutations().getFirst().key());
    }

    private boolean writes(CommitRequest request, Table<?> table, int type) {
        return request.mutations().stream()
                .anyMatch(
                        mutation -> mutation.type() == type && table.subspace().contains(mutation.key()));
    }

    private String table(byte[] key) {
        return keys.tables().stream()
                .filter(schema -> schema.in(keys.keyspace()).subspace().contains(key))
                .map(TableSchema::path)
                .findFirst()
                .orElse("others");
    }

    @Override
    public String toString() {
        return committed + ", refused " + refused + " " + meetings();
    }
}
