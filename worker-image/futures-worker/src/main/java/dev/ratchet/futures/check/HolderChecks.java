/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.Optional;

/** What is listed by seat: claims and held results against the records, and all of it against the seats. */
final class HolderChecks {

    private HolderChecks() {}

    /** What is to be deleted is not needed. */
    static TableCheck garbage(FutureKeys keys) {
        return TableCheck.of(keys.garbage, (page, row) -> {
            Tuple key = row.key();
            return page.exists(keys.held.key(key.getItems().toArray()))
                    .thenAccept(held -> row.require(!held, "is to be deleted and is still needed"));
        });
    }

    /** Who sleeps has a seat. */
    static TableCheck idle(FutureKeys keys) {
        return TableCheck.of(keys.idle, (page, row) -> {
            Tuple key = row.key();
            String seat = key.getString(0);
            long incarnation = key.getLong(1);
            return page.member(seat)
                    .thenAccept(member -> row.require(
                            member.isPresent() && member.get().incarnation() >= incarnation,
                            "sleeps in an incarnation that was never issued: " + incarnation));
        });
    }

    /** Mail is for a seat. */
    static TableCheck mail(FutureKeys keys) {
        return TableCheck.of(keys.mailbox, (page, row) -> {
            return page.member(row.key().getString(0))
                    .thenAccept(member -> row.require(member.isPresent(), "is mail for no seat"));
        });
    }

    static String state(Optional<FutureRecord> record) {
        return record.map(found -> Lifecycle.word(found.getState())).orElse("missing");
    }
}
