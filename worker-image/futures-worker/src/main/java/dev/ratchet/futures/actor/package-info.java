/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The states of actors: recorded with the results of their calls, the large ones in pieces that are written before, and
 * kept in the memory of who ran the last one.
 */
@NullMarked
package dev.ratchet.futures.actor;

import org.jspecify.annotations.NullMarked;
