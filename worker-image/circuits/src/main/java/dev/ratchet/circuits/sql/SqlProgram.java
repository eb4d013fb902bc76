/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.circuit.Plan;
import java.util.List;

/**
 * A compiled program.
 *
 * @param plan its tables and views under the names of the relations
 * @param tables in the order of the program
 * @param views whose changes are output, in the order of the program
 * @param text what was compiled
 * @param explanation the relational plan of each view and the operators of the circuit, for people
 * @param explained the same for the query of each EXPLAIN, empty where the program has none
 */
public record SqlProgram(
        Plan plan, List<Relation> tables, List<Relation> views, String text, String explanation, String explained)
        implements CompiledProgram {

    public SqlProgram {
        tables = List.copyOf(tables);
        views = List.copyOf(views);
    }

    /**
     * Compiles a program.
     *
     * @throws SqlException where it has a mistake or says what is not supported, with its place
     */
    public static SqlProgram compile(String text) {
        return compile(text, SqlProgram.class.getClassLoader());
    }

    /** As {@link #compile(String)}, with the classes of the functions that the program creates. */
    public static SqlProgram compile(String text, ClassLoader functions) {
        return new SqlCompiler(text, functions).compile();
    }

    @Override
    public String fingerprint() {
        return ProgramFingerprint.of(this);
    }
}
