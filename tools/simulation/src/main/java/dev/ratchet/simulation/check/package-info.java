/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What must hold after every event of a simulated cluster, rule by rule of the protocol. */
@NullMarked
package dev.ratchet.simulation.check;

import org.jspecify.annotations.NullMarked;
