/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Seats, incarnations, leases, the coordinator and its ordered commands. */
@NullMarked
package dev.ratchet.membership;

import org.jspecify.annotations.NullMarked;
