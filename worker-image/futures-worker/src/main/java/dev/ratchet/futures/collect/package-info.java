/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The end of futures: deletion, retention, and what becomes of the bytes that nobody needs any more. */
@NullMarked
package dev.ratchet.futures.collect;

import org.jspecify.annotations.NullMarked;
