/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.RequestId;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Everything an engine knew at one version, for a snapshot.
 *
 * @param version of the data
 * @param reservedVersion no version above this one has been handed out
 * @param data at that version
 * @param outcomes collects, in any thread, the named commits up to it that somebody may still ask for
 */
public record FrozenState(
        long version,
        long reservedVersion,
        OrderedTree<byte[]> data,
        Supplier<Map<RequestId, CommitOutcome>> outcomes) {}
