/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.util.List;

/**
 * Rows of one {@link RangeRead}, in its direction.
 *
 * @param more whether a limit stopped the read, be it exactly at its last row
 * @param readToBegin whether a selector ran off the start of the key space
 * @param readThroughEnd whether a selector ran off the end of it
 */
public record RangeChunk(List<KeyValue> rows, boolean more, boolean readToBegin, boolean readThroughEnd) {}
