/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** From the text of an SQL program to a circuit: statements, names and types, plans, operators. */
@NullMarked
package dev.ratchet.circuits.sql;

import org.jspecify.annotations.NullMarked;
