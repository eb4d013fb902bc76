/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Flink SQL on Nexmark: a local cluster in one process, the changes as a source, a counter as a sink. */
@NullMarked
package dev.ratchet.bench.peers.flink;

import org.jspecify.annotations.NullMarked;
