/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Immutable sorted columnar batches of weighted rows: one format in memory, on disk and on the wire, and what merges
 * and seeks in it.
 */
@NullMarked
package dev.ratchet.circuits.batch;

import org.jspecify.annotations.NullMarked;
