/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The embedded engine: versioned data, conflict detection, group commit and watches behind
 * {@link dev.ratchet.store.transaction.StoreConnection}.
 */
@NullMarked
package dev.ratchet.store.engine;

import org.jspecify.annotations.NullMarked;
