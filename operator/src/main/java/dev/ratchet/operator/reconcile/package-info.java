/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the loop: observe, plan, apply, at most one status write, which tells users of the cluster as it is now. */
@NullMarked
package dev.ratchet.operator.reconcile;

import org.jspecify.annotations.NullMarked;
