/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The transactional store: embedded engine, its server and client, the FoundationDB backend, the keyspace. */
@NullMarked
package dev.ratchet.store;

import org.jspecify.annotations.NullMarked;
