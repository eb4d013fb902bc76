/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Circuits on Nexmark: throughput beside other engines, the time of one row, and what state costs. */
@NullMarked
package dev.ratchet.bench.circuits;

import org.jspecify.annotations.NullMarked;
