/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is listed by seat: claims and held results against the records, and all of it against the seats. */
final class HolderChecks {

    private HolderChecks() {}

    /** What is to be deleted is not needed. */
    record Garbage(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.garbage;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.garbage.elements(row.getKey());
            return page.exists(keys.held.key(key.getItems().toArray()))
                    .thenAccept(held ->
                            page.require(!held, keys.garbage, row.getKey(), "is to be deleted and is still needed"));
        }
    }

    /** Who sleeps has a seat. */
    record Idle(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.idle;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.idle.elements(row.getKey());
            String seat = key.getString(0);
            long incarnation = key.getLong(1);
            return page.member(seat)
                    .thenAccept(member -> page.require(
                            member.isPresent() && member.get().incarnation() >= incarnation,
                            keys.idle,
                            row.getKey(),
                            "sleeps in an incarnation that was never issued: " + incarnation));
        }
    }

    /** Mail is for a seat. */
    record Mail(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.mailbox;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            return page.member(keys.mailbox.elements(row.getKey()).getString(0))
                    .thenAccept(member ->
                            page.require(member.isPresent(), keys.mailbox, row.getKey(), "is mail for no seat"));
        }
    }

    static String state(Optional<FutureRecord> record) {
        return record.map(found -> Lifecycle.word(found.getState())).orElse("missing");
    }
}
