/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Uploaded code in the store: files, functions, and content in pieces. */
@NullMarked
package dev.ratchet.futures.artifact;

import org.jspecify.annotations.NullMarked;
