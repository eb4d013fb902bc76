/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Reads the lines of many workers as one log. */
@NullMarked
package dev.ratchet.cli.logs;

import org.jspecify.annotations.NullMarked;
