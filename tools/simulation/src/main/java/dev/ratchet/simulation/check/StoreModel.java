/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.Mutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the store holds of the tables that rules are about, followed commit by commit from the mutations themselves.
 * Says of each commit which of those rows it changed.
 */
final class StoreModel {

    private static final List<TableSchema<?>> DECISIONS =
            List.of(MembershipTables.LAYOUT, MembershipTables.DRAINING, MembershipTables.COMMAND);

    final Table<MemberRecord> members;
    final Table<BeatRecord> beats;
    final Table<CommandRecord> commands;
    final Table<CoordinatorRecord> coordinator;
    final Table<FutureRecord> futures;
    final Table<byte[]> claims;
    final Table<ClientRecord> clients;

    private final Map<Table<?>, byte[]> prefixes = new LinkedHashMap<>();
    private final List<byte[]> decisions;
    private final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    /** One row before and after a commit. */
    record Change(Table<?> table, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {}

    StoreModel(Keyspace keyspace) {
        members = MembershipTables.MEMBER.in(keyspace);
        beats = MembershipTables.BEAT.in(keyspace);
        commands = MembershipTables.COMMAND.in(keyspace);
        coordinator = MembershipTables.COORDINATOR.in(keyspace);
        FutureKeys keys = new FutureKeys(keyspace);
        futures = keys.records;
        claims = keys.claims;
        clients = MembershipTables.CLIENT.in(keyspace);
        List.of(members, beats, commands, coordinator, futures, claims, clients)
                .forEach(table -> prefixes.put(table, table.subspace().pack()));
        decisions = DECISIONS.stream()
                .map(table -> table.in(keyspace).subspace().pack())
                .toList();
    }

    /** Follows one commit. */
    List<Change> apply(CommitRequest request) {
        Map<byte[], byte @Nullable []> before = new TreeMap<>(Arrays::compareUnsigned);
        for (Mutation mutation : request.mutations()) {
            if (mutation.type() == Mutation.CLEAR_RANGE) {
                clear(mutation.key(), mutation.param(), before);
            } else if (tableOf(mutation.key()) != null) {
                if (mutation.type() != Mutation.SET) {
                    throw new IllegalStateException("The model follows sets and clears of these tables, not mutation "
                            + mutation.type() + " of " + ByteArrayUtil.printable(mutation.key()));
                }
                before.putIfAbsent(mutation.key(), rows.get(mutation.key()));
                rows.put(mutation.key(), mutation.param());
            }
        }
        return changes(before);
    }

    private void clear(byte[] begin, byte[] end, Map<byte[], byte @Nullable []> before) {
        if (Arrays.compareUnsigned(begin, end) < 0) {
            var cleared = rows.subMap(begin, end);
            cleared.forEach(before::putIfAbsent);
            cleared.clear();
        }
    }

    private List<Change> changes(Map<byte[], byte @Nullable []> before) {
        List<Change> changes = new ArrayList<>();
        before.forEach((key, former) -> {
            Table<?> table = tableOf(key);
            byte[] now = rows.get(key);
            if (table != null && !Arrays.equals(former, now)) {
                changes.add(new Change(table, key, former, now));
            }
        });
        return changes;
    }

    /** Forgets everything and takes what is there now. */
    void replace(Map<byte[], byte[]> found) {
        rows.clear();
        found.forEach((key, value) -> {
            if (tableOf(key) != null) {
                rows.put(key, value);
            }
        });
    }

    /** Whether the key is of what only the holder of the term writes. */
    boolean isDecision(byte[] key) {
        return decisions.stream().anyMatch(prefix -> ByteArrayUtil.startsWith(key, prefix));
    }

    private @Nullable Table<?> tableOf(byte[] key) {
        for (Map.Entry<Table<?>, byte[]> table : prefixes.entrySet()) {
            if (ByteArrayUtil.startsWith(key, table.getValue())) {
                return table.getKey();
            }
        }
        return null;
    }

    MemberRecord member(String seat) {
        return decode(members, MemberRecord.getDefaultInstance(), seat);
    }

    CoordinatorRecord holder() {
        return decode(coordinator, CoordinatorRecord.getDefaultInstance());
    }

    FutureRecord future(Object id) {
        return decode(futures, FutureRecord.getDefaultInstance(), id);
    }

    private <V> V decode(Table<V> table, V absent, Object... elements) {
        byte[] value = rows.get(table.key(elements));
        return value == null ? absent : table.decode(value);
    }

    /** The claims of a seat: (seat, incarnation, future). */
    List<Tuple> claimsOf(String seat) {
        return all(claims, seat).keySet().stream().toList();
    }

    Map<Tuple, byte[]> allClaims() {
        return all(claims);
    }

    Map<Tuple, byte[]> allBeats() {
        return all(beats);
    }

    Map<Tuple, byte[]> allFutures() {
        return all(futures);
    }

    Map<Tuple, byte[]> allClients() {
        return all(clients);
    }

    boolean isClient(UUID id) {
        return rows.containsKey(clients.key(id));
    }

    boolean exists(UUID future) {
        return rows.containsKey(futures.key(future));
    }

    private Map<Tuple, byte[]> all(Table<?> table, Object... prefix) {
        var range = table.range(prefix);
        Map<Tuple, byte[]> found = new LinkedHashMap<>();
        rows.subMap(range.begin, range.end).forEach((key, value) -> found.put(table.elements(key), value));
        return found;
    }
}
