/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the table form of lists that kubectl prints. */
@NullMarked
package dev.ratchet.local.apiserver.table;

import org.jspecify.annotations.NullMarked;
