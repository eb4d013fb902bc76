/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.record;

import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.keyspace.KeyTree;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.keyspace.Values;
import java.util.List;

/** The tables of membership. Records that hold an incarnation or a term are never deleted: they fence for ever. */
public final class MembershipTables implements KeyTree {

    private static final String MODULE = "membership";

    /** Who holds a seat, in which incarnation and state. Changes with the state only, never with a heartbeat. */
    public static final TableSchema<MemberRecord> MEMBER =
            TableSchema.of(MODULE, "member", Values.message(MemberRecord.parser()), "seat");

    /** The last heartbeat of a seat. */
    public static final TableSchema<BeatRecord> BEAT =
            TableSchema.of(MODULE, "beat", Values.message(BeatRecord.parser()), "seat");

    /**
     * One counter that each write of a member record, of the layout and of the wanted drains adds to, so that readers
     * see that something changed.
     */
    public static final TableSchema<Long> VERSION = TableSchema.of(MODULE, "version", Values.counter());

    /** The highest term and who holds it. */
    public static final TableSchema<CoordinatorRecord> COORDINATOR =
            TableSchema.of(MODULE, "coordinator", Values.message(CoordinatorRecord.parser()));

    /** The layout epoch in force. */
    public static final TableSchema<LayoutRecord> LAYOUT =
            TableSchema.of(MODULE, "layout", Values.message(LayoutRecord.parser()));

    /** Which seats the operator wants to take no work. */
    public static final TableSchema<DrainingRecord> DRAINING =
            TableSchema.of(MODULE, "draining", Values.message(DrainingRecord.parser()));

    /** The newest command to a seat. */
    public static final TableSchema<CommandRecord> COMMAND =
            TableSchema.of(MODULE, "command", Values.message(CommandRecord.parser()), "seat");

    /** The clients whose leases last. */
    public static final TableSchema<ClientRecord> CLIENT =
            TableSchema.of(MODULE, "client", Values.message(ClientRecord.parser()), "client");

    /** Which clients each incarnation vouches for. */
    public static final TableSchema<byte[]> VOUCHED =
            TableSchema.of(MODULE, "vouched", Values.bytes(), "seat", "incarnation", "client");

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(MEMBER, BEAT, VERSION, COORDINATOR, LAYOUT, DRAINING, COMMAND, CLIENT, VOUCHED);
    }
}
