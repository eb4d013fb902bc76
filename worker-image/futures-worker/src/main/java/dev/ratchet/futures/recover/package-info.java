/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What keeps results from being lost, and what makes them again: copies, takeover from dead workers, lineage. */
@NullMarked
package dev.ratchet.futures.recover;

import org.jspecify.annotations.NullMarked;
