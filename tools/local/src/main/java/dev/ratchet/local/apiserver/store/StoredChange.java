/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One write, as the log keeps it.
 *
 * @param before null for a create
 * @param after null for a removal
 * @param last the object as watchers last see it: {@code after}, or what was removed with the version of its removal
 */
public record StoredChange(
        long version,
        String storageKey,
        @Nullable ObjectNode before,
        @Nullable ObjectNode after,
        ObjectNode last) {}
