/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The demonstration: the word count on a cluster that grows, loses a worker and shrinks while it counts. It owns the
 * story and its words on the terminal; all that happens is done by the same API server, operator, workers and command
 * line that a user has.
 */
@NullMarked
package dev.ratchet.local.demo;

import org.jspecify.annotations.NullMarked;
