/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What generators yield: items that are recorded in chunks as they come, read in order, and asked for by readers. */
@NullMarked
package dev.ratchet.futures.generator;

import org.jspecify.annotations.NullMarked;
