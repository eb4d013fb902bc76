/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** SQL programs against DuckDB and against what is written down. */
package dev.ratchet.circuits.sql;
