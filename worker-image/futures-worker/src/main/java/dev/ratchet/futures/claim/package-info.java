/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** How a worker takes futures off the queue: when it looks, what it takes, and how idle workers are woken. */
@NullMarked
package dev.ratchet.futures.claim;

import org.jspecify.annotations.NullMarked;
