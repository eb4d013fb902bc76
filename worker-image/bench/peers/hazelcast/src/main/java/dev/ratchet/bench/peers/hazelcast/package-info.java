/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Calls on Hazelcast: two members and a client, each a process. */
@NullMarked
package dev.ratchet.bench.peers.hazelcast;

import org.jspecify.annotations.NullMarked;
