/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Inputs that bring rows by themselves: what the process that holds the term appends to the input log. */
@NullMarked
package dev.ratchet.dataflow.source;

import org.jspecify.annotations.NullMarked;
