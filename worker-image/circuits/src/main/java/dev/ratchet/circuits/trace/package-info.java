/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * State of operators: sums of all batches so far, kept in few sorted batches by merges that are paid for by what comes
 * in.
 */
@NullMarked
package dev.ratchet.circuits.trace;

import org.jspecify.annotations.NullMarked;
