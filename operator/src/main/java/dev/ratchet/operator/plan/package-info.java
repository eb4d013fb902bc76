/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns every decision: pure functions from a snapshot to a plan, which is data. */
@NullMarked
package dev.ratchet.operator.plan;

import org.jspecify.annotations.NullMarked;
