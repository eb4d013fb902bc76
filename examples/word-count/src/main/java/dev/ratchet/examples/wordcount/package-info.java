/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The word count: what a user's program on Ratchet looks like. It owns its files, its arithmetic and its output. */
@NullMarked
package dev.ratchet.examples.wordcount;

import org.jspecify.annotations.NullMarked;
