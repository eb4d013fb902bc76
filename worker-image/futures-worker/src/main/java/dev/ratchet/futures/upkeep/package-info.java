/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What workers do for the cluster beside their claims: sweeps, delays, counts, and moving what has no worker. */
@NullMarked
package dev.ratchet.futures.upkeep;

import org.jspecify.annotations.NullMarked;
