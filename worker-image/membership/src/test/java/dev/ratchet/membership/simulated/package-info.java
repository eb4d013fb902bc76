/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** A small world in virtual time: processes that are killed and paused, one store, and workers in it. */
@NullMarked
package dev.ratchet.membership.simulated;

import org.jspecify.annotations.NullMarked;
