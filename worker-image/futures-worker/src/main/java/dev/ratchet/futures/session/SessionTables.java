/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.store.keyspace.KeyTree;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.keyspace.Values;
import java.util.List;

/** The tables of sessions. */
public final class SessionTables implements KeyTree {

    static final TableSchema<SessionRecord> RECORD =
            TableSchema.of("sessions", "record", Values.message(SessionRecord.parser()), "session");

    /** Sessions that wait for slots: lower bands first, within one in the order of commits. */
    static final TableSchema<SlotDemand> WAITING =
            TableSchema.of("sessions", "waiting", Values.message(SlotDemand.parser()), "band", "stamp", "session");

    /** The session that has a slot: 16 bytes. Absent = the slot is free. */
    static final TableSchema<byte[]> SLOT =
            TableSchema.of("sessions", "slot", Values.ids(), "seat", "resource", "number");

    /** How often a slot was granted; never deleted. */
    static final TableSchema<Long> SLOT_TOKEN =
            TableSchema.of("sessions", "slot-token", Values.counter(), "seat", "resource", "number");

    /** As {@link #SLOT}, of slots that the workers of one host share. */
    static final TableSchema<byte[]> HOST_SLOT =
            TableSchema.of("sessions", "host-slot", Values.ids(), "host", "resource", "number");

    /** As {@link #SLOT_TOKEN}, of slots that the workers of one host share. */
    static final TableSchema<Long> HOST_SLOT_TOKEN =
            TableSchema.of("sessions", "host-slot-token", Values.counter(), "host", "resource", "number");

    /** Sessions that have slots, by the seat. */
    static final TableSchema<byte[]> HELD = TableSchema.of("sessions", "held", Values.bytes(), "seat", "session");

    /** Sessions that are ending and still have slots, or futures that are not done, by the seat. */
    static final TableSchema<byte[]> ENDING = TableSchema.of("sessions", "ending", Values.bytes(), "seat", "session");

    /** Futures of a session that are not done, or whose code may still run. */
    static final TableSchema<byte[]> FUTURE = TableSchema.of("sessions", "future", Values.bytes(), "session", "future");

    /** Sessions that end with a client. */
    static final TableSchema<byte[]> OWNED = TableSchema.of("sessions", "owned", Values.bytes(), "client", "session");

    /** Sessions that are over, by when: their records go some time later. */
    static final TableSchema<byte[]> OVER = TableSchema.of("sessions", "over", Values.bytes(), "millis", "session");

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(
                RECORD, WAITING, SLOT, SLOT_TOKEN, HOST_SLOT, HOST_SLOT_TOKEN, HELD, ENDING, FUTURE, OWNED, OVER);
    }
}
