/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** A circuit of a cluster put together above its packages, as one worker has it. */
@NullMarked
package dev.ratchet.dataflow.process;

import org.jspecify.annotations.NullMarked;
