/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.instruction.InstructionJson;
import dev.ratchet.circuits.instruction.Interpreter;
import java.util.List;

/**
 * A planned program: what was made of its text once, which can be recorded, and the circuit that it builds. A plan that
 * was recorded builds the same circuit in every process of every release that reads it, whatever these would plan
 * themselves. Immutable.
 */
public final class SqlProgram implements CompiledProgram {

    private final Plan plan;
    private final ProgramRecord recorded;

    private SqlProgram(Plan plan, ProgramRecord recorded) {
        this.plan = plan;
        this.recorded = recorded;
        Explanation.nameColumns(plan, recorded.tables(), recorded.views());
    }

    static SqlProgram of(Plan plan, ProgramRecord written) {
        return new SqlProgram(plan, written.of(ProgramFingerprint.of(plan, written.tables(), written.views())));
    }

    /**
     * Compiles a program.
     *
     * @throws SqlException where it has a mistake or says what is not supported, with its place
     */
    public static SqlProgram compile(String text) {
        return compile(text, SqlProgram.class.getClassLoader());
    }

    /** As {@link #compile(String)}, for tables that are fed in another way than from files. */
    public static SqlProgram compile(String text, RepeatedKeys repeated) {
        return compile(text, repeated, OutputKeys.NONE);
    }

    /** As {@link #compile(String, RepeatedKeys)}, with keys of outputs that are said beside the program. */
    public static SqlProgram compile(String text, RepeatedKeys repeated, OutputKeys outputKeys) {
        return new SqlCompiler(text, SqlProgram.class.getClassLoader(), repeated, outputKeys).compile();
    }

    /** As {@link #compile(String)}, with the classes of the functions that the program creates. */
    public static SqlProgram compile(String text, ClassLoader functions) {
        return compile(text, functions, RepeatedKeys.REFUSED);
    }

    /** As {@link #compile(String, ClassLoader)}, for tables that are fed in another way than from files. */
    public static SqlProgram compile(String text, ClassLoader functions, RepeatedKeys repeated) {
        return new SqlCompiler(text, functions, repeated, OutputKeys.NONE).compile();
    }

    /**
     * The program whose plan was recorded.
     *
     * @param plan of {@link #recorded}, of this release or one before
     * @throws UnreadablePlanException where they are damaged, of a newer release, call a function that is not there, or
     *     build another circuit here than where they were recorded
     */
    public static SqlProgram ofRecorded(byte[] plan) {
        return ofRecorded(plan, SqlProgram.class.getClassLoader());
    }

    /** As {@link #ofRecorded(byte[])}, with the classes of the functions that the program creates. */
    public static SqlProgram ofRecorded(byte[] plan, ClassLoader functions) {
        ProgramRecord record = ProgramRecord.read(plan, functions);
        SqlProgram program;
        try {
            Interpreter interpreter = new Interpreter(functions);
            record.instructions().forEach(interpreter::apply);
            program = new SqlProgram(interpreter.plan(), record);
        } catch (IllegalArgumentException e) {
            throw new UnreadablePlanException(
                    "The recorded plan is damaged or of another release, and no circuit can be built of it: "
                            + e.getMessage(),
                    e);
        }
        String built = ProgramFingerprint.of(program.plan, record.tables(), record.views());
        if (!built.equals(record.fingerprint())) {
            throw new UnreadablePlanException(
                    "This release builds circuit " + built + " of the recorded plan, and the one that recorded it "
                            + record.fingerprint() + ", whose state this one does not find; use that release",
                    null);
        }
        return program;
    }

    /** What {@link #ofRecorded} takes; equal for equal plans in every process. */
    public byte[] recorded() {
        return InstructionJson.write(recorded);
    }

    @Override
    public Plan plan() {
        return plan;
    }

    @Override
    public List<Relation> tables() {
        return recorded.tables();
    }

    @Override
    public List<Relation> views() {
        return recorded.views();
    }

    /** The relational plan of each view and the operators of the circuit, for people. */
    public String explanation() {
        return recorded.relations() + "\n" + Explanation.operators(plan.allNodes());
    }

    /** The same for the query of each EXPLAIN, empty where the program has none. */
    public String explained() {
        return recorded.explained();
    }

    @Override
    public String fingerprint() {
        return recorded.fingerprint();
    }
}
