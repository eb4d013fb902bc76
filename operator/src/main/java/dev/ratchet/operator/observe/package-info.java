/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns what the operator knows: one snapshot of a cluster from the caches, and the reports of its coordinator. */
@NullMarked
package dev.ratchet.operator.observe;

import org.jspecify.annotations.NullMarked;
