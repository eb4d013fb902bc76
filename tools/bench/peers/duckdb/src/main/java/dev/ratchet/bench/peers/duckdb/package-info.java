/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** DuckDB on Nexmark: the tables as they are at the end, and the whole query over them once. */
@NullMarked
package dev.ratchet.bench.peers.duckdb;

import org.jspecify.annotations.NullMarked;
