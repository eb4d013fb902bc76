/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether futures keep their promises under load and faults: clients submit jobs of every kind to a cluster of real
 * processes, which are killed, paused and cut off meanwhile; at the end each promise that was acknowledged is looked
 * at.
 */
@NullMarked
package dev.ratchet.bench.load;

import org.jspecify.annotations.NullMarked;
