/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Calls on Temporal's test server, which is in the process of its client and worker. */
@NullMarked
package dev.ratchet.bench.peers.temporal;

import org.jspecify.annotations.NullMarked;
