/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What the store holds of futures: the tables, and one transaction's view of their records. */
@NullMarked
package dev.ratchet.futures.record;

import org.jspecify.annotations.NullMarked;
