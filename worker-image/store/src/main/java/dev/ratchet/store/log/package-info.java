/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What makes the embedded engine durable: a write-ahead log, snapshots, recovery, backup and restore of a directory.
 */
@NullMarked
package dev.ratchet.store.log;

import org.jspecify.annotations.NullMarked;
