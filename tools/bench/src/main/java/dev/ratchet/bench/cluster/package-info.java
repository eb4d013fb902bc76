/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Whole clusters of real processes on loopback: a store, workers, clients, each started from the class path of this
 * process, killed and paused at will, and gone when this process is gone.
 */
@NullMarked
package dev.ratchet.bench.cluster;

import org.jspecify.annotations.NullMarked;
