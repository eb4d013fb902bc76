/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The embedded store in virtual time, on a disk that forgets, behind links that fail. */
@NullMarked
package dev.ratchet.simulation.store;

import org.jspecify.annotations.NullMarked;
