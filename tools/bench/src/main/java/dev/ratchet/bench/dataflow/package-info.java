/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What a circuit on several processes costs: its exchange, its steps, its input and output, and recovery. */
@NullMarked
package dev.ratchet.bench.dataflow;

import org.jspecify.annotations.NullMarked;
