/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import java.util.UUID;

/** Each lease of a client and the entry under the incarnation that vouches for it know each other. */
final class LeaseChecks {

    private LeaseChecks() {}

    /** A lease is vouched for by an incarnation that was issued. */
    static TableCheck leases(Keyspace keyspace) {
        Table<ClientRecord> leases = MembershipTables.CLIENT.in(keyspace);
        Table<byte[]> vouched = MembershipTables.VOUCHED.in(keyspace);
        return TableCheck.of(leases, (page, row) -> {
            UUID client = row.key().getUUID(0);
            ClientRecord lease = leases.decode(row.value());
            String place = lease.getSeat() + "/" + lease.getIncarnation();
            return page.exists(vouched.key(lease.getSeat(), lease.getIncarnation(), client))
                    .thenAccept(there -> row.require(there, "is not listed under " + place + ", which vouches"))
                    .thenCompose(unused -> page.member(lease.getSeat()))
                    .thenAccept(member -> row.require(
                            member.isPresent() && member.get().incarnation() >= lease.getIncarnation(),
                            "is vouched for by " + place + ", which was never issued"));
        });
    }

    /** Whom an incarnation vouches for has a lease that says so. */
    static TableCheck vouched(Keyspace keyspace) {
        Table<ClientRecord> leases = MembershipTables.CLIENT.in(keyspace);
        return TableCheck.of(MembershipTables.VOUCHED.in(keyspace), (page, row) -> {
            Tuple key = row.key();
            return page.get(leases.key(key.getUUID(2))).thenAccept(value -> {
                ClientRecord lease = leases.decodeOrNull(value);
                row.require(
                        lease != null
                                && lease.getSeat().equals(key.getString(0))
                                && lease.getIncarnation() == key.getLong(1),
                        "vouches for a client whose lease does not say so");
            });
        });
    }
}
