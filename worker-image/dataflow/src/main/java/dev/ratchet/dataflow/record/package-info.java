/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What the store holds of a circuit, and who writes it. */
@NullMarked
package dev.ratchet.dataflow.record;

import org.jspecify.annotations.NullMarked;
