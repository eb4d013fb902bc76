/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The states of a future and the events that lead from one to another, as one table. */
@NullMarked
package dev.ratchet.futures.lifecycle;

import org.jspecify.annotations.NullMarked;
