/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The command line. */
@NullMarked
package dev.ratchet.cli;

import org.jspecify.annotations.NullMarked;
