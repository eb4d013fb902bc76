/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The command line of the benchmarks, which knows every subject; no subject knows it. */
@NullMarked
package dev.ratchet.bench.command;

import org.jspecify.annotations.NullMarked;
