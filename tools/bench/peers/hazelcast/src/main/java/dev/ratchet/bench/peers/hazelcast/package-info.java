/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Hazelcast: calls on two members and a client, each a process; and queries on Jet, its stream processor, in one. */
@NullMarked
package dev.ratchet.bench.peers.hazelcast;

import org.jspecify.annotations.NullMarked;
