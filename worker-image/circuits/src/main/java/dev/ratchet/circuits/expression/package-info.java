/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Expressions over rows with the logic of SQL, compiled to Java classes that box no number. */
@NullMarked
package dev.ratchet.circuits.expression;

import org.jspecify.annotations.NullMarked;
