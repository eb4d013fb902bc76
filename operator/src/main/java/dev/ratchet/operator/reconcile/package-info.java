/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the loop: observe, plan, apply, at most one status write. */
@NullMarked
package dev.ratchet.operator.reconcile;

import org.jspecify.annotations.NullMarked;
