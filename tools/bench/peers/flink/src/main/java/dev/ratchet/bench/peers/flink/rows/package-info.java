/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Flink beside circuits on a cluster: rows in, exactly once, and out, on processes that are killed. */
@NullMarked
package dev.ratchet.bench.peers.flink.rows;

import org.jspecify.annotations.NullMarked;
