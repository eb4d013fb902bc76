/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FunctionUses;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.StateCheck;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSet;
import dev.ratchet.store.keyspace.Values;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The session tables of one cluster, with the writes that belong together. Immutable. */
public final class SessionKeys extends TableSet {

    public final Table<SessionRecord> records = table("record", Values.message(SessionRecord.parser()), "session");

    /** Sessions that wait for slots: lower bands first, within one in the order of commits. */
    public final Table<SlotDemand> waiting =
            table("waiting", Values.message(SlotDemand.parser()), "band", "stamp", "session");

    /** The session that has a slot: 16 bytes. Absent = the slot is free. */
    public final Table<byte[]> slots = table("slot", Values.ids(), "seat", "resource", "number");

    /** How often a slot was granted; never deleted. */
    public final Table<Long> slotTokens = table("slot-token", Values.counter(), "seat", "resource", "number");

    /** As {@link #slots}, of slots that the workers of one host share. */
    public final Table<byte[]> hostSlots = table("host-slot", Values.ids(), "host", "resource", "number");

    /** As {@link #slotTokens}, of slots that the workers of one host share. */
    public final Table<Long> hostSlotTokens = table("host-slot-token", Values.counter(), "host", "resource", "number");

    /** Sessions that have slots, by the seat. */
    public final Table<byte[]> held = table("held", Values.bytes(), "seat", "session");

    /** Sessions that are ending and still have slots, or futures that are not done, by the seat. */
    public final Table<byte[]> ending = table("ending", Values.bytes(), "seat", "session");

    /** Futures of a session that are not done, or whose code may still run. */
    public final Table<byte[]> futures = table("future", Values.bytes(), "session", "future");

    /** Sessions that end with a client. */
    public final Table<byte[]> owned = table("owned", Values.bytes(), "client", "session");

    /** Sessions that are over, by when: their records go some time later. */
    public final Table<byte[]> over = table("over", Values.bytes(), "millis", "session");

    private final FutureKeys ofFutures;

    public SessionKeys(FutureKeys keys) {
        super("sessions", keys.keyspace());
        ofFutures = keys;
    }

    /** What is declared, in no cluster. */
    public SessionKeys() {
        this(new FutureKeys());
    }

    /** The record of a session, if it is known. */
    public CompletableFuture<Optional<SessionRecord>> record(ReadTransaction transaction, UUID id) {
        return transaction.get(records.key(id)).thenApply(value -> Optional.ofNullable(records.decodeOrNull(value)));
    }

    void set(Transaction transaction, UUID id, SessionRecord record) {
        records.set(transaction, record, id);
    }

    /** Puts a session behind the others of its priority. */
    void queue(Transaction transaction, UUID id, SessionRecord record) {
        waiting.append(transaction, Tuple.from(-record.getPriority()), 0, Tuple.from(id), record.getDemand());
    }

    /** Has the worker on a seat look at its sessions. */
    void wake(Transaction transaction, String seat) {
        ofFutures.wake(transaction, seat);
    }

    /**
     * Gives a slot to a session, whoever has it.
     *
     * @return the slot with its new token
     */
    CompletableFuture<HeldSlot> grant(Transaction transaction, ByteString session, String seat, HeldSlot slot) {
        return transaction.get(tokens(slot).key(place(seat, slot))).thenApply(before -> {
            long granted = before == null ? 0 : tokens(slot).decode(before);
            return grant(transaction, session, seat, slot, granted);
        });
    }

    /** As {@link #grant(Transaction, ByteString, String, HeldSlot)}, where the slot's token is known. */
    HeldSlot grant(Transaction transaction, ByteString session, String seat, HeldSlot slot, long before) {
        Object[] place = place(seat, slot);
        slots(slot).set(transaction, session.toByteArray(), place);
        tokens(slot).set(transaction, before + 1, place);
        return slot.toBuilder().setToken(before + 1).build();
    }

    private Table<Long> tokens(HeldSlot slot) {
        return slot.getHost().isEmpty() ? slotTokens : hostSlotTokens;
    }

    /** Where it is written who has a slot. */
    public byte[] slot(String seat, HeldSlot slot) {
        return slots(slot).key(place(seat, slot));
    }

    private Table<byte[]> slots(HeldSlot slot) {
        return slot.getHost().isEmpty() ? slots : hostSlots;
    }

    private static Object[] place(String seat, HeldSlot slot) {
        return new Object[] {
            slot.getHost().isEmpty() ? seat : slot.getHost(), slot.getResource(), (long) slot.getNumber()
        };
    }

    private void free(Transaction transaction, String seat, HeldSlot slot) {
        slots(slot).clear(transaction, place(seat, slot));
    }

    /** Frees the slots that a worker has for itself; the caller writes the record that is returned. */
    SessionRecord releaseOwn(Transaction transaction, SessionRecord record) {
        SessionRecord.Builder left = record.toBuilder().clearSlots();
        for (HeldSlot slot : record.getSlotsList()) {
            if (slot.getHost().isEmpty()) {
                free(transaction, record.getSeat(), slot);
            } else {
                left.addSlots(slot);
            }
        }
        return left.build();
    }

    /**
     * Frees what a session of a lost worker has for itself: nobody grants that before the worker's code has stopped.
     * Slots of the host stay until that is certain. The caller writes the record that is returned.
     */
    SessionRecord releaseDead(Transaction transaction, UUID id, SessionRecord record) {
        SessionRecord left = releaseOwn(transaction, record).toBuilder()
                .clearSuspendedUntilWallMillis()
                .build();
        if (left.getSlotsCount() == 0) {
            held.clear(transaction, record.getSeat(), id);
        }
        return left;
    }

    /** Frees all slots of a session; the caller writes the record that is returned. */
    SessionRecord release(Transaction transaction, UUID id, SessionRecord record) {
        for (HeldSlot slot : record.getSlotsList()) {
            free(transaction, record.getSeat(), slot);
        }
        held.clear(transaction, record.getSeat(), id);
        return record.toBuilder().clearSlots().build();
    }

    /** Keeps the code that a session is to run when it is bound again. */
    void setCheck(Transaction transaction, StateCheck check) {
        ofFutures.functions.set(
                transaction, check.getCode(), (Object) check.getFunction().toByteArray());
        FunctionUses.add(transaction, ofFutures, check.getFunction(), 1);
    }

    /** Writes the record of a session that is over now: once for each session. */
    void setOver(Transaction transaction, UUID id, SessionRecord record) {
        if (record.hasCheck()) {
            FunctionUses.add(transaction, ofFutures, record.getCheck().getFunction(), -1);
        }
        if (!record.getOwner().isEmpty()) {
            owned.clear(transaction, SessionIds.of(record.getOwner()), id);
        }
        over.set(transaction, FutureKeys.PRESENT, record.getEndedWallMillis(), id);
        set(transaction, id, record);
    }

    /** Has the worker on the seat of a session end it. */
    void setEnding(Transaction transaction, UUID id, SessionRecord record) {
        markEnding(transaction, id, record);
        wake(transaction, record.getSeat());
    }

    /** As {@link #setEnding}, by that worker itself. */
    void markEnding(Transaction transaction, UUID id, SessionRecord record) {
        ending.set(transaction, FutureKeys.PRESENT, record.getSeat(), id);
        set(transaction, id, record);
    }
}
