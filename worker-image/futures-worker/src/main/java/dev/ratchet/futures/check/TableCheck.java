/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.store.keyspace.Table;
import java.util.concurrent.CompletableFuture;

/**
 * What each row of one table must agree with. Everything is read through the page, that is, at one version, so that a
 * verdict never depends on what happens while the check goes on.
 */
interface TableCheck {

    /** Rows of one page where they are small: a few kilobytes. */
    int PAGE_ROWS = 250;

    /**
     * Rows of one page of pieces, which have up to 90 kB: a page is read in one transaction, which has five seconds.
     */
    int PAGE_PIECES = 20;

    Table<?> table();

    /** Rows that one transaction reads. */
    default int pageRows() {
        return PAGE_ROWS;
    }

    /** Judges one row; completes when the page knows all violations of it. */
    CompletableFuture<Void> judge(CheckPage page, KeyValue row);
}
