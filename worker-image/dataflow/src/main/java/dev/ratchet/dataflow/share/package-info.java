/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Views of a circuit that runs on several workers, read as one: each worker serves its share, and the one that a reader
 * asks merges the shares of all, whole step by whole step.
 */
@NullMarked
package dev.ratchet.dataflow.share;

import org.jspecify.annotations.NullMarked;
