/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What a worker does with futures: claims them, runs them, records their outcomes, gives them back. */
@NullMarked
package dev.ratchet.futures.work;

import org.jspecify.annotations.NullMarked;
