/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Each lease of a client and the entry under the incarnation that vouches for it know each other. */
final class LeaseChecks {

    private LeaseChecks() {}

    /** A lease is vouched for by an incarnation that was issued. */
    record Leases(Table<ClientRecord> table, Table<byte[]> vouched) implements TableCheck {
        Leases(Keyspace keyspace) {
            this(MembershipTables.CLIENT.in(keyspace), MembershipTables.VOUCHED.in(keyspace));
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            UUID client = table.elements(row.getKey()).getUUID(0);
            ClientRecord lease = table.decode(row.getValue());
            return page.exists(vouched.key(lease.getSeat(), lease.getIncarnation(), client))
                    .thenAccept(there -> page.require(
                            there, table, row.getKey(), "is not listed under " + place(lease) + ", which vouches"))
                    .thenCompose(unused -> page.member(lease.getSeat()))
                    .thenAccept(member -> page.require(
                            member.isPresent() && member.get().incarnation() >= lease.getIncarnation(),
                            table,
                            row.getKey(),
                            "is vouched for by " + place(lease) + ", which was never issued"));
        }

        private static String place(ClientRecord lease) {
            return lease.getSeat() + "/" + lease.getIncarnation();
        }
    }

    /** Whom an incarnation vouches for has a lease that says so. */
    record Vouched(Table<byte[]> table, Table<ClientRecord> leases) implements TableCheck {
        Vouched(Keyspace keyspace) {
            this(MembershipTables.VOUCHED.in(keyspace), MembershipTables.CLIENT.in(keyspace));
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = table.elements(row.getKey());
            return page.get(leases.key(key.getUUID(2))).thenAccept(value -> {
                ClientRecord lease = leases.decodeOrNull(value);
                page.require(
                        lease != null
                                && lease.getSeat().equals(key.getString(0))
                                && lease.getIncarnation() == key.getLong(1),
                        table,
                        row.getKey(),
                        "vouches for a client whose lease does not say so");
            });
        }
    }
}
