/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** How soon the processes of a distribution do their work after they were started. */
@NullMarked
package dev.ratchet.bench.start;

import org.jspecify.annotations.NullMarked;
