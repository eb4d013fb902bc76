/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A session of the process before, which has one slot and waits for the seat. */
final class SuspendedSession {

    private static final long WAIT_MILLIS = 60_000;

    private SuspendedSession() {}

    static SessionRecord.Builder record(FutureStore store, OpenSeat seat, HeldSlot slot) {
        return SessionRecord.newBuilder()
                .setState(SessionState.SESSION_STATE_SUSPENDED)
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation() - 1)
                .setReestablishMillis(WAIT_MILLIS)
                .setSuspendedUntilWallMillis(store.environment().wallClockMillis() + WAIT_MILLIS)
                .setDemand(SlotDemand.newBuilder().putSlots(slot.getResource(), 1))
                .addSlots(slot);
    }

    /** Writes it, and that the seat is on the host of its slot. */
    static void write(FutureStore store, OpenSeat seat, UUID id, SessionRecord record) {
        SessionKeys keys = new SessionKeys(store.keys());
        HeldSlot slot = record.getSlots(0);
        MemberRecord member = MemberRecord.newBuilder()
                .setIncarnation(seat.incarnation())
                .setState(State.STATE_HEALTHY)
                .setHost(slot.getHost())
                .build();
        store.runPlain(transaction -> {
                    new StoredMembers(store.keys().keyspace()).write(transaction, seat.name(), member);
                    keys.set(transaction, id, record);
                    keys.held.set(transaction, FutureKeys.PRESENT, seat.name(), id);
                    transaction.set(
                            keys.slot(seat.name(), slot), SessionIds.bytes(id).toByteArray());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }
}
