/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The results that a worker holds, and how others get them. */
@NullMarked
package dev.ratchet.futures.object;

import org.jspecify.annotations.NullMarked;
