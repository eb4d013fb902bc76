/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.ProgramSource;

/**
 * A program that can be run.
 *
 * @param digest of what it is made from, in hexadecimal
 */
public record AcceptedProgram(String digest, ProgramSource source, CompiledProgram program) {}
