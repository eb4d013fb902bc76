/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The client side of a transaction: what FoundationDB's client library does for the native backend, done here in Java
 * over any {@link dev.ratchet.store.transaction.StoreConnection}, in process or remote.
 */
@NullMarked
package dev.ratchet.store.transaction;

import org.jspecify.annotations.NullMarked;
