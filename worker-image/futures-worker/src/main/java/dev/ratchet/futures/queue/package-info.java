/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The queue of futures that wait for a worker, and how idle workers learn of them. */
@NullMarked
package dev.ratchet.futures.queue;

import org.jspecify.annotations.NullMarked;
