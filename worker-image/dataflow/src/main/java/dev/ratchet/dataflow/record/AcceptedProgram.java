/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.dataflow.ProgramSource;

/**
 * A program that can be run.
 *
 * @param digest of what it is made from, in hexadecimal
 * @param repeated how a text was planned; of a class, which says so itself, without meaning
 */
public record AcceptedProgram(String digest, ProgramSource source, RepeatedKeys repeated, CompiledProgram program) {}
