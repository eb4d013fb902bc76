/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import dev.ratchet.store.keyspace.Table;
import java.util.concurrent.CompletableFuture;

/**
 * What each row of one table must agree with. Everything is read through the page, that is, at one version, so that a
 * verdict never depends on what happens while the check goes on.
 */
interface TableCheck {

    Table<?> table();

    /** Judges one row; completes when the page knows all violations of it. */
    CompletableFuture<Void> judge(CheckPage page, CheckedRow row);

    static TableCheck of(Table<?> table, Judge judge) {
        return new JudgedTable(table, judge);
    }

    /** As {@link TableCheck#judge}. */
    interface Judge {
        CompletableFuture<Void> judge(CheckPage page, CheckedRow row);
    }

    /** A table whose check is one function. */
    record JudgedTable(Table<?> table, Judge judge) implements TableCheck {
        @Override
        public CompletableFuture<Void> judge(CheckPage page, CheckedRow row) {
            return judge.judge(page, row);
        }
    }
}
