/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.client;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The clients in the store: a record of each, and an entry under the incarnation that vouches for it. Immutable. */
public final class ClientRecords implements Clients {

    private static final byte[] PRESENT = {};

    private final Table<ClientRecord> records;
    private final Table<byte[]> vouched;

    public ClientRecords(Keyspace keyspace) {
        records = MembershipTables.CLIENT.in(keyspace);
        vouched = MembershipTables.VOUCHED.in(keyspace);
    }

    @Override
    public CompletableFuture<Optional<Client>> one(ReadTransaction transaction, UUID id) {
        return record(transaction, id)
                .thenApply(record ->
                        record.map(known -> new Client(id, known.getSeat(), known.getIncarnation(), known.getName())));
    }

    CompletableFuture<Optional<ClientRecord>> record(ReadTransaction transaction, UUID id) {
        return transaction.get(records.key(id)).thenApply(value -> Optional.ofNullable(records.decodeOrNull(value)));
    }

    /** Writes the record of a client; {@code before} is what it was. */
    void write(Transaction transaction, UUID id, Optional<ClientRecord> before, ClientRecord record) {
        before.ifPresent(old -> vouched.clear(transaction, old.getSeat(), old.getIncarnation(), id));
        vouched.set(transaction, PRESENT, record.getSeat(), record.getIncarnation(), id);
        records.set(transaction, record, id);
    }

    /** Ends the lease of a client. */
    void remove(Transaction transaction, UUID id, ClientRecord record) {
        vouched.clear(transaction, record.getSeat(), record.getIncarnation(), id);
        records.clear(transaction, id);
    }

    /** The first clients that incarnations of a seat up to this one vouch for. */
    CompletableFuture<List<UUID>> vouchedBy(ReadTransaction transaction, String seat, long incarnation, int limit) {
        Range all = new Range(vouched.range(seat).begin, vouched.key(seat, incarnation + 1));
        return transaction
                .getRange(all, limit, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(rows -> rows.stream().map(this::client).toList());
    }

    private UUID client(KeyValue row) {
        return vouched.elements(row.getKey()).getUUID(2);
    }
}
