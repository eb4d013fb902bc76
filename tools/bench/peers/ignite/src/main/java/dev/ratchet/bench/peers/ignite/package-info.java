/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Calls on Ignite: two servers and a client, each a process. */
@NullMarked
package dev.ratchet.bench.peers.ignite;

import org.jspecify.annotations.NullMarked;
