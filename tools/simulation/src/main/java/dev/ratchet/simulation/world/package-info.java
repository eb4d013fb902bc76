/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Virtual time: one thread, events in an order that a seed decides, processes with clocks of their own. */
@NullMarked
package dev.ratchet.simulation.world;

import org.jspecify.annotations.NullMarked;
