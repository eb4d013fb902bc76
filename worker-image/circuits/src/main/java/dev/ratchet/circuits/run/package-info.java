/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs an SQL program over files: reads changes, steps the circuit, writes the changes of its views. */
@NullMarked
package dev.ratchet.circuits.run;

import org.jspecify.annotations.NullMarked;
