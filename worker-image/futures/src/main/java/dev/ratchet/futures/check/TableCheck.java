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

    Table<?> table();

    /** Judges one row; completes when the page knows all violations of it. */
    CompletableFuture<Void> judge(CheckPage page, KeyValue row);
}
