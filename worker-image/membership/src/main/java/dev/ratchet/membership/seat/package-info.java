/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The seat of this process: taking it, keeping it by heartbeats, draining it, ending it. */
@NullMarked
package dev.ratchet.membership.seat;

import org.jspecify.annotations.NullMarked;
