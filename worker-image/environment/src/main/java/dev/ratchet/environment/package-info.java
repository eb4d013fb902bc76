/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Time, threads and randomness as constructor arguments, so that protocol code runs unchanged in the simulator. */
@NullMarked
package dev.ratchet.environment;

import org.jspecify.annotations.NullMarked;
