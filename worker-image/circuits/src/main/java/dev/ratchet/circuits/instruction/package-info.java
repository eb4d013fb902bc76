/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs as data: the closed set of instructions that says a circuit, the one interpreter that builds a circuit of
 * them, and their text in JSON, which is what the store keeps. A release reads the instructions of those before it.
 */
@NullMarked
package dev.ratchet.circuits.instruction;

import org.jspecify.annotations.NullMarked;
