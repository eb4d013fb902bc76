/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The functions of SQL over Java values that are not NULL, called by compiled expressions. */
@NullMarked
package dev.ratchet.circuits.expression.function;

import org.jspecify.annotations.NullMarked;
