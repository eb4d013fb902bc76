/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
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
    record Records(FutureKeys futures) implements TableCheck {
        @Override
        public Table<?> table() {
            return new SessionKeys(futures).records;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            SessionKeys keys = new SessionKeys(futures);
            UUID id = keys.records.elements(row.getKey()).getUUID(0);
            SessionRecord session = keys.records.decode(row.getValue());
            boolean has = session.getSlotsCount() > 0;
            boolean must = session.getState() == SessionState.SESSION_STATE_OPEN
                    || session.getState() == SessionState.SESSION_STATE_SUSPENDED
                    || session.getState() == SessionState.SESSION_STATE_CLOSING;
            page.require(has || !must, keys.records, row.getKey(), "is " + session.getState() + " and has no slots");
            page.require(
                    !has || must || session.getState() == SessionState.SESSION_STATE_FAILED,
                    keys.records,
                    row.getKey(),
                    "is " + session.getState() + " and has slots");
            CompletableFuture<Void> judged = CompletableFuture.completedFuture(null);
            for (HeldSlot slot : session.getSlotsList()) {
                byte[] key = keys.slot(session.getSeat(), slot);
                judged = judged.thenCombine(page.get(key), (unused, holder) -> {
                    page.require(
                            Arrays.equals(holder, SessionIds.bytes(id).toByteArray()),
                            keys.records,
                            row.getKey(),
                            "has the slot " + slot.getResource() + "/" + slot.getNumber()
                                    + ", which another one holds, or nobody");
                    return null;
                });
            }
            return judged;
        }
    }

    /** Whoever holds a slot has it in its record. */
    record Slots(FutureKeys futures) implements TableCheck {
        @Override
        public Table<?> table() {
            return new SessionKeys(futures).slots;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            SessionKeys keys = new SessionKeys(futures);
            Tuple key = keys.slots.elements(row.getKey());
            UUID id = SessionIds.of(ByteString.copyFrom(row.getValue()));
            return session(page, keys, id)
                    .thenAccept(session -> page.require(
                            session.filter(one -> one.getSeat().equals(key.getString(0)))
                                    .filter(one -> one.getSlotsList().stream()
                                            .anyMatch(slot -> slot.getHost().isEmpty()
                                                    && slot.getResource().equals(key.getString(1))
                                                    && slot.getNumber() == key.getLong(2)))
                                    .isPresent(),
                            keys.slots,
                            row.getKey(),
                            "is held by the session " + id + ", which does not know it"));
        }
    }

    /** Whoever holds a slot of a host has it in its record. */
    record HostSlots(FutureKeys futures) implements TableCheck {
        @Override
        public Table<?> table() {
            return new SessionKeys(futures).hostSlots;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            SessionKeys keys = new SessionKeys(futures);
            Tuple key = keys.hostSlots.elements(row.getKey());
            UUID id = SessionIds.of(ByteString.copyFrom(row.getValue()));
            return session(page, keys, id)
                    .thenAccept(session -> page.require(
                            session.filter(one -> one.getSlotsList().stream()
                                            .anyMatch(slot -> slot.getHost().equals(key.getString(0))
                                                    && slot.getResource().equals(key.getString(1))
                                                    && slot.getNumber() == key.getLong(2)))
                                    .isPresent(),
                            keys.hostSlots,
                            row.getKey(),
                            "is held by the session " + id + ", which does not know it"));
        }
    }

    /** A seat lists the sessions that have its slots. */
    record Held(FutureKeys futures) implements TableCheck {
        @Override
        public Table<?> table() {
            return new SessionKeys(futures).held;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            SessionKeys keys = new SessionKeys(futures);
            Tuple key = keys.held.elements(row.getKey());
            return session(page, keys, key.getUUID(1))
                    .thenAccept(session -> page.require(
                            session.filter(one -> one.getSeat().equals(key.getString(0)) && one.getSlotsCount() > 0)
                                    .isPresent(),
                            keys.held,
                            row.getKey(),
                            "is no session that has slots of this seat"));
        }
    }

    /** A session lists its futures that are not done. */
    record Futures(FutureKeys futures) implements TableCheck {
        @Override
        public Table<?> table() {
            return new SessionKeys(futures).futures;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            SessionKeys keys = new SessionKeys(futures);
            Tuple key = keys.futures.elements(row.getKey());
            return page.record(new FutureId(key.getUUID(1)))
                    .thenAccept(record -> page.require(
                            record.filter(future -> !Lifecycle.isDone(future.getState()))
                                    .filter(future -> future.getSchedulingSpec()
                                            .getSession()
                                            .getId()
                                            .equals(SessionIds.bytes(key.getUUID(0))))
                                    .isPresent(),
                            keys.futures,
                            row.getKey(),
                            "is no future of this session that is not done"));
        }
    }
}
