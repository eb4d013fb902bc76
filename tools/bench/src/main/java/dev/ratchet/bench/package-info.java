/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The frame of all benchmarks: clients that work in a closed loop, what they measured, and the report. Each subject has
 * a package of its own below and a command in {@link dev.ratchet.bench.command.BenchMain}.
 */
@NullMarked
package dev.ratchet.bench;

import org.jspecify.annotations.NullMarked;
