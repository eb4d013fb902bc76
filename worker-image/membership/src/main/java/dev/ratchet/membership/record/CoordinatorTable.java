/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.record;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the coordinator decides on: who holds the term, the layout in force, the wanted drains and the newest command to
 * each seat. Whoever writes one of the others must have read the coordinator's record in the same transaction, so that
 * a coordinator of an older term never writes after the first write of a newer one.
 */
public final class CoordinatorTable {

    private final MembershipRows<CoordinatorRecord> coordinator;
    private final MembershipRows<LayoutRecord> layout;
    private final MembershipRows<DrainingRecord> draining;
    private final MembershipRows<CommandRecord> commands;

    public CoordinatorTable(Keyspace keyspace) {
        coordinator =
                new MembershipRows<>(MembershipTables.COORDINATOR, keyspace, CoordinatorRecord.getDefaultInstance());
        layout = new MembershipRows<>(MembershipTables.LAYOUT, keyspace, LayoutRecord.getDefaultInstance());
        draining = new MembershipRows<>(MembershipTables.DRAINING, keyspace, DrainingRecord.getDefaultInstance());
        commands = new MembershipRows<>(MembershipTables.COMMAND, keyspace, CommandRecord.getDefaultInstance());
    }

    /** The holder of the term, with term 0 before the first. */
    public CompletableFuture<CoordinatorRecord> holder(ReadTransaction transaction) {
        return coordinator.read(transaction);
    }

    public void writeHolder(Transaction transaction, CoordinatorRecord record) {
        coordinator.write(transaction, record);
    }

    public MembershipRows<LayoutRecord> layout() {
        return layout;
    }

    public MembershipRows<DrainingRecord> draining() {
        return draining;
    }

    /** Seats that are to drain, though they may not know yet, or that an upgrade which is under way replaces later. */
    public CompletableFuture<Set<String>> outgoing(ReadTransaction transaction) {
        return draining.read(transaction)
                .thenApply(record -> Stream.concat(record.getSeatsList().stream(), record.getOutgoingList().stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** What layout and wanted drains together say. */
    public CompletableFuture<DrainOrders> orders(ReadTransaction transaction) {
        CompletableFuture<DrainingRecord> wanted = draining.read(transaction);
        return layout.read(transaction).thenCombine(wanted, DrainOrders::new);
    }

    public MembershipRows<CommandRecord> commands() {
        return commands;
    }
}
