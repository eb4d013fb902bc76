/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command line: turns words into calls of the gateway and answers into lines. What the caller can change is told in
 * one line with exit code 2, everything else ends with 1.
 */
@NullMarked
package dev.ratchet.cli;

import org.jspecify.annotations.NullMarked;
