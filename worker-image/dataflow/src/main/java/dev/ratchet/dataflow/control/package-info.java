/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What the elected member decides: {@link dev.ratchet.dataflow.control.StepCoordinator}. */
@NullMarked
package dev.ratchet.dataflow.control;

import org.jspecify.annotations.NullMarked;
