/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What happens to a cluster in one run: made from a seed, told, and made as short as it can be when it fails. */
@NullMarked
package dev.ratchet.simulation.scenario;

import org.jspecify.annotations.NullMarked;
