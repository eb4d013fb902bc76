/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of the word count. */
@NullMarked
package dev.ratchet.examples.wordcount;

import org.jspecify.annotations.NullMarked;
