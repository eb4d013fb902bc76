/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Collections in partitions, worked on by many tasks at once; a library on top of futures, with nothing of its own. */
@NullMarked
package dev.ratchet.client.dataset;

import org.jspecify.annotations.NullMarked;
