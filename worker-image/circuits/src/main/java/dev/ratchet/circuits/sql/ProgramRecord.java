/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.instruction.Instruction;
import dev.ratchet.circuits.instruction.InstructionJson;
import java.util.List;

/**
 * A planned program as it is recorded.
 *
 * @param format of the record, {@value #FORMAT} in this release, which reads those before it, too
 * @param tables in the order of the program
 * @param views whose changes are output, in the order of the program
 * @param instructions what builds the circuit
 * @param relations the relational plan of each view, for people
 * @param explained the plan and the operators of the query of each EXPLAIN, for people
 * @param fingerprint of the circuit that the instructions build
 */
record ProgramRecord(
        int format,
        List<Relation> tables,
        List<Relation> views,
        List<Instruction> instructions,
        String relations,
        String explained,
        String fingerprint) {

    static final int FORMAT = 1;

    ProgramRecord {
        tables = List.copyOf(tables);
        views = List.copyOf(views);
        instructions = List.copyOf(instructions);
    }

    /** @throws UnreadablePlanException where these bytes are none, or of a newer release */
    static ProgramRecord read(byte[] bytes, ClassLoader functions) {
        try {
            int format = InstructionJson.read(bytes, Head.class, functions).format();
            if (format != FORMAT) {
                throw new UnreadablePlanException(
                        "The recorded plan is of format " + format + ", and this release reads format " + FORMAT
                                + "; use the release that recorded it, or a newer one",
                        null);
            }
            return InstructionJson.read(bytes, ProgramRecord.class, functions);
        } catch (IllegalArgumentException e) {
            throw new UnreadablePlanException("The recorded plan can not be read: " + e.getMessage(), e);
        }
    }

    /** What every format has. */
    private record Head(int format) {}

    ProgramRecord of(String builtFingerprint) {
        return new ProgramRecord(format, tables, views, instructions, relations, explained, builtFingerprint);
    }
}
