/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns what users read: conditions, reasons, status blocks and Events, all computed anew from a snapshot. */
@NullMarked
package dev.ratchet.operator.status;

import org.jspecify.annotations.NullMarked;
