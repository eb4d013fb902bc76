/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import dev.ratchet.circuits.sql.SqlProgram;

/** A program that compiles, and the digest of its text. */
public record AcceptedProgram(String digest, SqlProgram program) {}
