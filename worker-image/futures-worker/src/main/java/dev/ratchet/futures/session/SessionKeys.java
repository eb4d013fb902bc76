/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.MutationType;
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
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.Versionstamps;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The session tables of one cluster, with the writes that belong together. Immutable. */
public final class SessionKeys {

    public final Table<SessionRecord> records;
    public final Table<SlotDemand> waiting;
    public final Table<byte[]> slots;
    public final Table<Long> slotTokens;
    public final Table<byte[]> hostSlots;
    public final Table<Long> hostSlotTokens;
    public final Table<byte[]> held;
    public final Table<byte[]> ending;
    public final Table<byte[]> futures;
    public final Table<byte[]> owned;
    public final Table<byte[]> over;

    private final FutureKeys ofFutures;
    private final Table<Long> wake;

    public SessionKeys(FutureKeys keys) {
        Keyspace keyspace = keys.keyspace();
        records = SessionTables.RECORD.in(keyspace);
        waiting = SessionTables.WAITING.in(keyspace);
        slots = SessionTables.SLOT.in(keyspace);
        slotTokens = SessionTables.SLOT_TOKEN.in(keyspace);
        hostSlots = SessionTables.HOST_SLOT.in(keyspace);
        hostSlotTokens = SessionTables.HOST_SLOT_TOKEN.in(keyspace);
        held = SessionTables.HELD.in(keyspace);
        ending = SessionTables.ENDING.in(keyspace);
        futures = SessionTables.FUTURE.in(keyspace);
        owned = SessionTables.OWNED.in(keyspace);
        over = SessionTables.OVER.in(keyspace);
        wake = keys.wake;
        ofFutures = keys;
    }

    /** The record of a session, if it is known. */
    public CompletableFuture<Optional<SessionRecord>> record(ReadTransaction transaction, UUID id) {
        return transaction.get(records.key(id)).thenApply(value -> Optional.ofNullable(records.decodeOrNull(value)));
    }

    void set(Transaction transaction, UUID id, SessionRecord record) {
        transaction.set(records.key(id), records.encode(record));
    }

    /** Puts a session behind the others of its priority. */
    void queue(Transaction transaction, UUID id, SessionRecord record) {
        transaction.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY,
                Versionstamps.operand(
                        waiting.subspace().getKey(), Tuple.from(-record.getPriority()), 0, Tuple.from(id)),
                waiting.encode(record.getDemand()));
    }

    /** Has the worker on a seat look at its sessions. */
    void wake(Transaction transaction, String seat) {
        transaction.mutate(MutationType.ADD, wake.key(seat), wake.encode(1L));
    }

    /**
     * Gives a slot to a session, whoever has it.
     *
     * @return the slot with its new token
     */
    CompletableFuture<HeldSlot> grant(Transaction transaction, ByteString session, String seat, HeldSlot slot) {
        byte[] tokenKey = slot.getHost().isEmpty()
                ? slotTokens.key(seat, slot.getResource(), (long) slot.getNumber())
                : hostSlotTokens.key(slot.getHost(), slot.getResource(), (long) slot.getNumber());
        return transaction.get(tokenKey).thenApply(before -> {
            long token = (before == null ? 0 : slotTokens.decode(before)) + 1;
            transaction.set(slot(seat, slot), session.toByteArray());
            transaction.set(tokenKey, slotTokens.encode(token));
            return slot.toBuilder().setToken(token).build();
        });
    }

    /** Where it is written who has a slot. */
    public byte[] slot(String seat, HeldSlot slot) {
        return slot.getHost().isEmpty()
                ? slots.key(seat, slot.getResource(), (long) slot.getNumber())
                : hostSlots.key(slot.getHost(), slot.getResource(), (long) slot.getNumber());
    }

    /** Frees the slots that a worker has for itself; the caller writes the record that is returned. */
    SessionRecord releaseOwn(Transaction transaction, SessionRecord record) {
        SessionRecord.Builder left = record.toBuilder().clearSlots();
        for (HeldSlot slot : record.getSlotsList()) {
            if (slot.getHost().isEmpty()) {
                transaction.clear(slot(record.getSeat(), slot));
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
            transaction.clear(held.key(record.getSeat(), id));
        }
        return left;
    }

    /** Frees all slots of a session; the caller writes the record that is returned. */
    SessionRecord release(Transaction transaction, UUID id, SessionRecord record) {
        for (HeldSlot slot : record.getSlotsList()) {
            transaction.clear(slot(record.getSeat(), slot));
        }
        transaction.clear(held.key(record.getSeat(), id));
        return record.toBuilder().clearSlots().build();
    }

    /** Keeps the code that a session is to run when it is bound again. */
    void setCheck(Transaction transaction, StateCheck check) {
        transaction.set(
                ofFutures.functions.key((Object) check.getFunction().toByteArray()),
                ofFutures.functions.encode(check.getCode()));
        FunctionUses.add(transaction, ofFutures, check.getFunction(), 1);
    }

    /** Writes the record of a session that is over now: once for each session. */
    void setOver(Transaction transaction, UUID id, SessionRecord record) {
        if (record.hasCheck()) {
            FunctionUses.add(transaction, ofFutures, record.getCheck().getFunction(), -1);
        }
        if (!record.getOwner().isEmpty()) {
            transaction.clear(owned.key(SessionIds.of(record.getOwner()), id));
        }
        transaction.set(over.key(record.getEndedWallMillis(), id), FutureKeys.PRESENT);
        set(transaction, id, record);
    }

    /** Has the worker on the seat of a session end it. */
    void setEnding(Transaction transaction, UUID id, SessionRecord record) {
        markEnding(transaction, id, record);
        wake(transaction, record.getSeat());
    }

    /** As {@link #setEnding}, by that worker itself. */
    void markEnding(Transaction transaction, UUID id, SessionRecord record) {
        transaction.set(ending.key(record.getSeat(), id), FutureKeys.PRESENT);
        set(transaction, id, record);
    }
}
