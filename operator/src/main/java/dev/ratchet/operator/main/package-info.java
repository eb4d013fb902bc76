/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the process: configuration, wiring, leader election, health, metrics and the order of shutting down. */
@NullMarked
package dev.ratchet.operator.main;

import org.jspecify.annotations.NullMarked;
