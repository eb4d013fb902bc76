/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The commands that run SQL programs as circuits on this machine. */
@NullMarked
package dev.ratchet.cli.circuit;

import org.jspecify.annotations.NullMarked;
