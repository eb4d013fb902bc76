/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.keyspace.Table;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What is written down of sessions: slots and the sessions that have them name each other, and so do futures. */
final class SessionChecks {

    private SessionChecks() {}

    private static CompletableFuture<Optional<SessionRecord>> session(CheckPage page, SessionKeys keys, UUID id) {
        return page.get(keys.records.key(id)).thenApply(value -> Optional.ofNullable(keys.records.decodeOrNull(value)));
    }

    /** A session is open if and only if it has slots, and each of them names it. */
    static TableCheck records(FutureKeys futures) {
        SessionKeys keys = new SessionKeys(futures);
        return TableCheck.of(keys.records, (page, row) -> {
            UUID id = row.key().getUUID(0);
            SessionRecord session = keys.records.decode(row.value());
            boolean has = session.getSlotsCount() > 0;
            boolean must = session.getState() == SessionState.SESSION_STATE_OPEN
                    || session.getState() == SessionState.SESSION_STATE_SUSPENDED
                    || session.getState() == SessionState.SESSION_STATE_CLOSING;
            row.require(has || !must, "is " + session.getState() + " and has no slots");
            row.require(
                    !has || must || session.getState() == SessionState.SESSION_STATE_FAILED,
                    "is " + session.getState() + " and has slots");
            CompletableFuture<Void> judged = CompletableFuture.completedFuture(null);
            for (HeldSlot slot : session.getSlotsList()) {
                byte[] key = keys.slot(session.getSeat(), slot);
                judged = judged.thenCombine(page.get(key), (unused, holder) -> {
                    row.require(
                            Arrays.equals(holder, SessionIds.bytes(id).toByteArray()),
                            "has the slot " + slot.getResource() + "/" + slot.getNumber()
                                    + ", which another one holds, or nobody");
                    return null;
                });
            }
            return judged;
        });
    }

    /** Whoever holds a slot has it in its record. */
    static TableCheck slots(FutureKeys futures) {
        SessionKeys keys = new SessionKeys(futures);
        return inRecord(keys, keys.slots);
    }

    /** Whoever holds a slot of a host has it in its record. */
    static TableCheck hostSlots(FutureKeys futures) {
        SessionKeys keys = new SessionKeys(futures);
        return inRecord(keys, keys.hostSlots);
    }

    private static TableCheck inRecord(SessionKeys keys, Table<byte[]> slots) {
        return TableCheck.of(slots, (page, row) -> {
            byte[] key = row.stored().getKey();
            UUID id = SessionIds.of(ByteString.copyFrom(row.value()));
            return session(page, keys, id)
                    .thenAccept(session -> row.require(
                            session.stream()
                                    .flatMap(one ->
                                            one.getSlotsList().stream().map(slot -> keys.slot(one.getSeat(), slot)))
                                    .anyMatch(slot -> Arrays.equals(slot, key)),
                            "is held by the session " + id + ", which does not know it"));
        });
    }

    /** A seat lists the sessions that have its slots. */
    static TableCheck held(FutureKeys futures) {
        SessionKeys keys = new SessionKeys(futures);
        return TableCheck.of(keys.held, (page, row) -> {
            Tuple key = row.key();
            return session(page, keys, key.getUUID(1))
                    .thenAccept(session -> row.require(
                            session.filter(one -> one.getSeat().equals(key.getString(0)) && one.getSlotsCount() > 0)
                                    .isPresent(),
                            "is no session that has slots of this seat"));
        });
    }

    /** A session lists its futures that are not done. */
    static TableCheck futures(FutureKeys futures) {
        SessionKeys keys = new SessionKeys(futures);
        return TableCheck.of(keys.futures, (page, row) -> {
            Tuple key = row.key();
            return page.record(new FutureId(key.getUUID(1)))
                    .thenAccept(record -> row.require(
                            record.filter(future -> !Lifecycle.isDone(future.getState()))
                                    .filter(future -> future.getSchedulingSpec()
                                            .getSession()
                                            .getId()
                                            .equals(SessionIds.bytes(key.getUUID(0))))
                                    .isPresent(),
                            "is no future of this session that is not done"));
        });
    }
}
