/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The views of a circuit as one process has them: {@link dev.ratchet.dataflow.output.ViewShares}. */
@NullMarked
package dev.ratchet.dataflow.output;

import org.jspecify.annotations.NullMarked;
