/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the words that users read: conditions, reasons, Events, and what is written on a worker; plans are made of them.
 */
@NullMarked
package dev.ratchet.operator.status;

import org.jspecify.annotations.NullMarked;
