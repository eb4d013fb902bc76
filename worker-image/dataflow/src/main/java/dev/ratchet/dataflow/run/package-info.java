/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** One process of a circuit: {@link dev.ratchet.dataflow.run.CircuitRunner}. */
@NullMarked
package dev.ratchet.dataflow.run;

import org.jspecify.annotations.NullMarked;
